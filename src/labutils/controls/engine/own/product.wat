;; y = x Wᵀ in float32, four numbers at a time: the one slow step of a model, for a page that holds a large one.
;;
;; x (rows, width) and W (columns, width) lie in one memory, y (rows, columns) is written beside them; a width is a
;; multiple of 4. Rows of W begin `apart` numbers after each other, so that W may be some columns of a wider matrix. The text is compiled when the site is built (`labutils/controls/compiled.py`). Where a browser has none
;; of it, `engine/linear.js` does the same in JavaScript.
(module
  (import "own" "memory" (memory 0))

  ;; The sum of the four numbers of a vector.
  (func $sum (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; One row of x, as when a text goes on by one token. Columns are a multiple of 4, and four are computed at a time that
  ;; lie a quarter of W apart: so W passes once, in four streams that the processor fetches ahead, each by itself.
  (func (export "row") (param $x i32) (param $w i32) (param $y i32) (param $columns i32) (param $width i32)
    (param $apart i32)
    (local $end i32) (local $last i32) (local $p i32) (local $quarter i32) (local $skip i32)
    (local $w1 i32) (local $w2 i32) (local $w3 i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $v v128)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $width) (i32.const 2))))
    (local.set $quarter (local.get $columns)) ;; bytes of a quarter of y: four to a number
    (local.set $last (i32.add (local.get $y) (local.get $quarter)))
    (local.set $skip (i32.shl (i32.sub (local.get $apart) (local.get $width)) (i32.const 2))) ;; bytes between two rows
    (local.set $apart (i32.mul (local.get $apart) (local.get $columns))) ;; bytes of a quarter of W
    (local.set $w1 (i32.add (local.get $w) (local.get $apart)))
    (local.set $w2 (i32.add (local.get $w1) (local.get $apart)))
    (local.set $w3 (i32.add (local.get $w2) (local.get $apart)))
    (loop $column
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (local.get $a))
      (local.set $c (local.get $a))
      (local.set $d (local.get $a))
      (local.set $p (local.get $x))
      (loop $inner
        (local.set $v (v128.load (local.get $p)))
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $v) (v128.load (local.get $w)))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $v) (v128.load (local.get $w1)))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $v) (v128.load (local.get $w2)))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $v) (v128.load (local.get $w3)))))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $w1 (i32.add (local.get $w1) (i32.const 16)))
        (local.set $w2 (i32.add (local.get $w2) (i32.const 16)))
        (local.set $w3 (i32.add (local.get $w3) (i32.const 16)))
        (br_if $inner (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (f32.store (local.get $y) (call $sum (local.get $a)))
      (local.set $p (i32.add (local.get $y) (local.get $quarter)))
      (f32.store (local.get $p) (call $sum (local.get $b)))
      (local.set $p (i32.add (local.get $p) (local.get $quarter)))
      (f32.store (local.get $p) (call $sum (local.get $c)))
      (local.set $p (i32.add (local.get $p) (local.get $quarter)))
      (f32.store (local.get $p) (call $sum (local.get $d)))
      (local.set $w (i32.add (local.get $w) (local.get $skip)))
      (local.set $w1 (i32.add (local.get $w1) (local.get $skip)))
      (local.set $w2 (i32.add (local.get $w2) (local.get $skip)))
      (local.set $w3 (i32.add (local.get $w3) (local.get $skip)))
      (br_if $column
        (i32.lt_u (local.tee $y (i32.add (local.get $y) (i32.const 4))) (local.get $last)))))

  ;; Many rows, a multiple of 4: tiles of four rows by two columns, so that each number of W that is read serves four
  ;; rows; columns are a multiple of 2.
  (func (export "rows") (param $x i32) (param $w i32) (param $y i32) (param $rows i32) (param $columns i32)
    (param $width i32) (param $apart i32)
    (local $line i32) (local $across i32) (local $j i32) (local $i i32) (local $end i32) (local $out i32)
    (local $x0 i32) (local $x1 i32) (local $x2 i32) (local $x3 i32) (local $w0 i32) (local $w1 i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local $b0 v128) (local $b1 v128) (local $b2 v128) (local $b3 v128) (local $u v128) (local $v v128)
    (local.set $line (i32.shl (local.get $width) (i32.const 2)))
    (local.set $across (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $apart (i32.shl (local.get $apart) (i32.const 2)))
    (loop $column
      (local.set $i (i32.const 0))
      (local.set $x0 (local.get $x))
      (local.set $out (i32.add (local.get $y) (i32.shl (local.get $j) (i32.const 2))))
      (loop $row
        (local.set $w0 (local.get $w))
        (local.set $w1 (i32.add (local.get $w) (local.get $apart)))
        (local.set $end (i32.add (local.get $w) (local.get $line)))
        (local.set $x1 (i32.add (local.get $x0) (local.get $line)))
        (local.set $x2 (i32.add (local.get $x1) (local.get $line)))
        (local.set $x3 (i32.add (local.get $x2) (local.get $line)))
        (local.set $a0 (v128.const i32x4 0 0 0 0))
        (local.set $a1 (local.get $a0))
        (local.set $a2 (local.get $a0))
        (local.set $a3 (local.get $a0))
        (local.set $b0 (local.get $a0))
        (local.set $b1 (local.get $a0))
        (local.set $b2 (local.get $a0))
        (local.set $b3 (local.get $a0))
        (loop $inner
          (local.set $u (v128.load (local.get $w0)))
          (local.set $v (v128.load (local.get $w1)))
          (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $u) (v128.load (local.get $x0)))))
          (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $u) (v128.load (local.get $x1)))))
          (local.set $a2 (f32x4.add (local.get $a2) (f32x4.mul (local.get $u) (v128.load (local.get $x2)))))
          (local.set $a3 (f32x4.add (local.get $a3) (f32x4.mul (local.get $u) (v128.load (local.get $x3)))))
          (local.set $b0 (f32x4.add (local.get $b0) (f32x4.mul (local.get $v) (v128.load (local.get $x0)))))
          (local.set $b1 (f32x4.add (local.get $b1) (f32x4.mul (local.get $v) (v128.load (local.get $x1)))))
          (local.set $b2 (f32x4.add (local.get $b2) (f32x4.mul (local.get $v) (v128.load (local.get $x2)))))
          (local.set $b3 (f32x4.add (local.get $b3) (f32x4.mul (local.get $v) (v128.load (local.get $x3)))))
          (local.set $x0 (i32.add (local.get $x0) (i32.const 16)))
          (local.set $x1 (i32.add (local.get $x1) (i32.const 16)))
          (local.set $x2 (i32.add (local.get $x2) (i32.const 16)))
          (local.set $x3 (i32.add (local.get $x3) (i32.const 16)))
          (local.set $w1 (i32.add (local.get $w1) (i32.const 16)))
          (br_if $inner (i32.lt_u (local.tee $w0 (i32.add (local.get $w0) (i32.const 16))) (local.get $end))))
        (f32.store (local.get $out) (call $sum (local.get $a0)))
        (f32.store offset=4 (local.get $out) (call $sum (local.get $b0)))
        (local.set $out (i32.add (local.get $out) (local.get $across)))
        (f32.store (local.get $out) (call $sum (local.get $a1)))
        (f32.store offset=4 (local.get $out) (call $sum (local.get $b1)))
        (local.set $out (i32.add (local.get $out) (local.get $across)))
        (f32.store (local.get $out) (call $sum (local.get $a2)))
        (f32.store offset=4 (local.get $out) (call $sum (local.get $b2)))
        (local.set $out (i32.add (local.get $out) (local.get $across)))
        (f32.store (local.get $out) (call $sum (local.get $a3)))
        (f32.store offset=4 (local.get $out) (call $sum (local.get $b3)))
        (local.set $out (i32.add (local.get $out) (local.get $across)))
        (local.set $x0 (local.get $x3)) ;; at the end of the fourth row, where the fifth begins
        (br_if $row (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $rows))))
      (local.set $w (i32.add (local.get $w) (i32.shl (local.get $apart) (i32.const 1))))
      (br_if $column (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 2))) (local.get $columns))))))
