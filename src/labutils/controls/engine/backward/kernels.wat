;; What training costs, four numbers at a time: products of matrices, softmax, GELU, LayerNorm, sums and AdamW in
;; float32.
;;
;; Every pointer and every step from one number to the next is in bytes; what `arena.js` hands in lies in one memory,
;; each array at a multiple of 16 bytes. The text is compiled when the site is built (`labutils/controls/bundle.py`).
;; Where a browser has none of it, the JavaScript beside it does the same.
(module
  (import "own" "memory" (memory 0))

  ;; The sum of the four numbers of a vector.
  (func $sum (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; e^x = 2^n e^r with n = x / ln 2, rounded, and e^r by Taylor's series up to r^6: for |r| <= ln 2 / 2 what is left out
  ;; is below 1.2e-7. Below -87 it is 0 exactly: numbers too small for float32's usual form cost a hundred cycles each.
  ;; What is no number becomes 0 too, and the sum of a softmax, or x itself in GELU, says so.
  (func $exp (param $x v128) (result v128) (local $n v128) (local $r v128) (local $s v128)
    (local.set $x (f32x4.pmin (local.get $x) (v128.const f32x4 88 88 88 88)))
    (local.set $n (f32x4.nearest
      (f32x4.mul (local.get $x) (v128.const f32x4 1.4426950409 1.4426950409 1.4426950409 1.4426950409))))
    ;; r = x - n ln 2, with ln 2 in two parts, so that the first product is exact
    (local.set $r (f32x4.sub
      (f32x4.sub (local.get $x)
        (f32x4.mul (local.get $n) (v128.const f32x4 0.693359375 0.693359375 0.693359375 0.693359375)))
      (f32x4.mul (local.get $n) (v128.const f32x4 -2.12194440e-4 -2.12194440e-4 -2.12194440e-4 -2.12194440e-4))))
    ;; 1 + r + r²/2 + ... + r^6/720
    (local.set $s (v128.const f32x4 0.0013888889 0.0013888889 0.0013888889 0.0013888889))
    (local.set $s (f32x4.add (v128.const f32x4 0.0083333333 0.0083333333 0.0083333333 0.0083333333)
      (f32x4.mul (local.get $s) (local.get $r))))
    (local.set $s (f32x4.add (v128.const f32x4 0.0416666667 0.0416666667 0.0416666667 0.0416666667)
      (f32x4.mul (local.get $s) (local.get $r))))
    (local.set $s (f32x4.add (v128.const f32x4 0.1666666667 0.1666666667 0.1666666667 0.1666666667)
      (f32x4.mul (local.get $s) (local.get $r))))
    (local.set $s (f32x4.add (v128.const f32x4 0.5 0.5 0.5 0.5)
      (f32x4.mul (local.get $s) (local.get $r))))
    (local.set $s (f32x4.add (v128.const f32x4 1 1 1 1)
      (f32x4.mul (local.get $s) (local.get $r))))
    (local.set $s (f32x4.add (v128.const f32x4 1 1 1 1)
      (f32x4.mul (local.get $s) (local.get $r))))
    (v128.and
      (f32x4.gt (local.get $x) (v128.const f32x4 -87 -87 -87 -87))
      (f32x4.mul
        (local.get $s)
        (i32x4.shl
          (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $n)) (v128.const i32x4 127 127 127 127))
          (i32.const 23)))))

  ;; Eight sums, or the first four, to their place; with $add to what stands there.
  (func $put (param $y i32) (param $low v128) (param $high v128) (param $wide i32) (param $add i32)
    (if (local.get $add)
      (then (local.set $low (f32x4.add (local.get $low) (v128.load (local.get $y))))))
    (v128.store (local.get $y) (local.get $low))
    (if (local.get $wide)
      (then
        (if (local.get $add)
          (then (local.set $high (f32x4.add (local.get $high) (v128.load offset=16 (local.get $y))))))
        (v128.store offset=16 (local.get $y) (local.get $high)))))

  ;; y = or += a b. Number (i, k) of a stands at a + i ai + k ak, number (k, j) of b at b + k bk + j bj, so that either
  ;; may be transposed; row i of y begins at y + i yi. Columns are a multiple of 4. Eight columns of b are laid out at
  ;; $panel first; a tile of four rows by eight columns keeps its sums in eight vectors. Rows behind the last are the
  ;; last one again, and are not stored.
  (func (export "product")
    (param $a i32) (param $ai i32) (param $ak i32) (param $b i32) (param $bk i32) (param $bj i32)
    (param $y i32) (param $yi i32) (param $rows i32) (param $columns i32) (param $inner i32) (param $add i32)
    (param $panel i32)
    (local $i i32) (local $j i32) (local $k i32) (local $p i32) (local $q i32) (local $wide i32) (local $last i32)
    (local $a0 i32) (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $u v128) (local $v v128) (local $s v128)
    (local $l0 v128) (local $l1 v128) (local $l2 v128) (local $l3 v128)
    (local $h0 v128) (local $h1 v128) (local $h2 v128) (local $h3 v128)
    (local.set $last (i32.add (local.get $a)
      (i32.mul (local.get $ai) (i32.sub (local.get $rows) (i32.const 1)))))
    (loop $column
      (local.set $wide (i32.ge_s (i32.sub (local.get $columns) (local.get $j)) (i32.const 8)))
      (call $pack (i32.add (local.get $b) (i32.mul (local.get $j) (local.get $bj)))
        (local.get $bk) (local.get $bj) (local.get $inner) (local.get $panel))
      (local.set $i (i32.const 0))
      (local.set $a3 (i32.sub (local.get $a) (local.get $ai)))
      (local.set $q (i32.add (local.get $y) (i32.shl (local.get $j) (i32.const 2))))
      (loop $row
        (local.set $a0 (i32.add (local.get $a) (i32.mul (local.get $i) (local.get $ai))))
        (local.set $a1 (call $least (i32.add (local.get $a0) (local.get $ai)) (local.get $last)))
        (local.set $a2 (call $least (i32.add (local.get $a1) (local.get $ai)) (local.get $last)))
        (local.set $a3 (call $least (i32.add (local.get $a2) (local.get $ai)) (local.get $last)))
        (local.set $l0 (v128.const i32x4 0 0 0 0))
        (local.set $l1 (local.get $l0))
        (local.set $l2 (local.get $l0))
        (local.set $l3 (local.get $l0))
        (local.set $h0 (local.get $l0))
        (local.set $h1 (local.get $l0))
        (local.set $h2 (local.get $l0))
        (local.set $h3 (local.get $l0))
        (local.set $p (local.get $panel))
        (local.set $k (local.get $inner))
        (loop $sum
          (local.set $u (v128.load (local.get $p)))
          (local.set $v (v128.load offset=16 (local.get $p)))
          (local.set $s (v128.load32_splat (local.get $a0)))
          (local.set $l0 (f32x4.add (local.get $l0) (f32x4.mul (local.get $s) (local.get $u))))
          (local.set $h0 (f32x4.add (local.get $h0) (f32x4.mul (local.get $s) (local.get $v))))
          (local.set $s (v128.load32_splat (local.get $a1)))
          (local.set $l1 (f32x4.add (local.get $l1) (f32x4.mul (local.get $s) (local.get $u))))
          (local.set $h1 (f32x4.add (local.get $h1) (f32x4.mul (local.get $s) (local.get $v))))
          (local.set $s (v128.load32_splat (local.get $a2)))
          (local.set $l2 (f32x4.add (local.get $l2) (f32x4.mul (local.get $s) (local.get $u))))
          (local.set $h2 (f32x4.add (local.get $h2) (f32x4.mul (local.get $s) (local.get $v))))
          (local.set $s (v128.load32_splat (local.get $a3)))
          (local.set $l3 (f32x4.add (local.get $l3) (f32x4.mul (local.get $s) (local.get $u))))
          (local.set $h3 (f32x4.add (local.get $h3) (f32x4.mul (local.get $s) (local.get $v))))
          (local.set $a0 (i32.add (local.get $a0) (local.get $ak)))
          (local.set $a1 (i32.add (local.get $a1) (local.get $ak)))
          (local.set $a2 (i32.add (local.get $a2) (local.get $ak)))
          (local.set $a3 (i32.add (local.get $a3) (local.get $ak)))
          (local.set $p (i32.add (local.get $p) (i32.const 32)))
          (br_if $sum (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
        (local.set $k (i32.sub (local.get $rows) (local.get $i))) ;; rows from this one on
        (call $put (local.get $q) (local.get $l0) (local.get $h0) (local.get $wide) (local.get $add))
        (local.set $q (i32.add (local.get $q) (local.get $yi)))
        (if (i32.gt_s (local.get $k) (i32.const 1))
          (then (call $put (local.get $q) (local.get $l1) (local.get $h1) (local.get $wide) (local.get $add))))
        (local.set $q (i32.add (local.get $q) (local.get $yi)))
        (if (i32.gt_s (local.get $k) (i32.const 2))
          (then (call $put (local.get $q) (local.get $l2) (local.get $h2) (local.get $wide) (local.get $add))))
        (local.set $q (i32.add (local.get $q) (local.get $yi)))
        (if (i32.gt_s (local.get $k) (i32.const 3))
          (then (call $put (local.get $q) (local.get $l3) (local.get $h3) (local.get $wide) (local.get $add))))
        (local.set $q (i32.add (local.get $q) (local.get $yi)))
        (br_if $row (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $rows))))
      (br_if $column (i32.lt_s (local.tee $j (i32.add (local.get $j) (i32.const 8))) (local.get $columns)))))

  (func $least (param $x i32) (param $y i32) (result i32)
    (select (local.get $x) (local.get $y) (i32.lt_u (local.get $x) (local.get $y))))

  ;; Eight columns of b, number k of each after number k - 1 of each; a column behind the last is whatever stands there,
  ;; and its sums are not stored.
  (func $pack (param $b i32) (param $bk i32) (param $bj i32) (param $k i32) (param $p i32) (local $c i32)
    (if (i32.eq (local.get $bj) (i32.const 4))
      (then
        (loop $straight
          (v128.store (local.get $p) (v128.load (local.get $b)))
          (v128.store offset=16 (local.get $p) (v128.load offset=16 (local.get $b)))
          (local.set $b (i32.add (local.get $b) (local.get $bk)))
          (local.set $p (i32.add (local.get $p) (i32.const 32)))
          (br_if $straight (local.tee $k (i32.sub (local.get $k) (i32.const 1))))))
      (else
        (loop $across
          (local.set $c (local.get $b))
          (f32.store (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=4 (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=8 (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=12 (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=16 (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=20 (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=24 (local.get $p) (f32.load (local.get $c)))
          (local.set $c (i32.add (local.get $c) (local.get $bj)))
          (f32.store offset=28 (local.get $p) (f32.load (local.get $c)))
          (local.set $b (i32.add (local.get $b) (local.get $bk)))
          (local.set $p (i32.add (local.get $p) (i32.const 32)))
          (br_if $across (local.tee $k (i32.sub (local.get $k) (i32.const 1))))))))

  ;; Each row of x (rows, columns) becomes $part softmax($scale x); columns are a multiple of 4. With $seen 0 all of a row
  ;; counts; else the first row has $seen numbers that count, each next one more, and what does not count becomes 0.
  (func (export "softmax") (param $x i32) (param $rows i32) (param $columns i32) (param $scale f32) (param $part f32)
    (param $seen i32)
    (local $p i32) (local $end i32) (local $v v128) (local $highest v128) (local $total v128) (local $f v128)
    (local.set $f (f32x4.splat (local.get $scale)))
    (loop $row
      (local.set $end (i32.add (local.get $x) (i32.shl (local.get $columns) (i32.const 2))))
      (if (local.get $seen) (then
        (local.set $p (i32.add (local.get $x) (i32.shl (local.get $seen) (i32.const 2))))
        (block $filled
          (loop $mask
            (br_if $filled (i32.ge_u (local.get $p) (local.get $end)))
            (f32.store (local.get $p) (f32.const -inf))
            (local.set $p (i32.add (local.get $p) (i32.const 4)))
            (br $mask)))
        (local.set $seen (i32.add (local.get $seen) (i32.const 1)))))
      (local.set $p (local.get $x))
      (local.set $highest (v128.load (local.get $x)))
      (loop $max
        (local.set $highest (f32x4.max (local.get $highest) (v128.load (local.get $p))))
        (br_if $max (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $highest (f32x4.splat (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $highest)) (f32x4.extract_lane 1 (local.get $highest)))
        (f32.max (f32x4.extract_lane 2 (local.get $highest)) (f32x4.extract_lane 3 (local.get $highest))))))
      (local.set $p (local.get $x))
      (local.set $total (v128.const i32x4 0 0 0 0))
      (loop $powers
        (local.set $v (call $exp
          (f32x4.mul (f32x4.sub (v128.load (local.get $p)) (local.get $highest)) (local.get $f))))
        (v128.store (local.get $p) (local.get $v))
        (local.set $total (f32x4.add (local.get $total) (local.get $v)))
        (br_if $powers (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $v (f32x4.splat (f32.div (local.get $part) (call $sum (local.get $total)))))
      (loop $divide
        (v128.store (local.get $x) (f32x4.mul (v128.load (local.get $x)) (local.get $v)))
        (br_if $divide (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; From the gradient d of weights w = softmax(s x) to that of x, in its place: w (d - sum of w d) s, row by row.
  (func (export "softmax_back") (param $w i32) (param $d i32) (param $rows i32) (param $columns i32) (param $scale f32)
    (local $p i32) (local $q i32) (local $end i32) (local $t v128)
    (loop $row
      (local.set $end (i32.add (local.get $w) (i32.shl (local.get $columns) (i32.const 2))))
      (local.set $p (local.get $w))
      (local.set $q (local.get $d))
      (local.set $t (v128.const i32x4 0 0 0 0))
      (loop $mean
        (local.set $t (f32x4.add (local.get $t) (f32x4.mul (v128.load (local.get $p)) (v128.load (local.get $q)))))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (br_if $mean (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $t (f32x4.splat (call $sum (local.get $t))))
      (loop $out
        (v128.store (local.get $d) (f32x4.mul
          (f32x4.mul (v128.load (local.get $w)) (f32x4.splat (local.get $scale)))
          (f32x4.sub (v128.load (local.get $d)) (local.get $t))))
        (local.set $d (i32.add (local.get $d) (i32.const 16)))
        (br_if $out (i32.lt_u (local.tee $w (i32.add (local.get $w) (i32.const 16))) (local.get $end))))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; y = x (1 + t) / 2 with t = tanh(u), u = √(2/π) (x + 0.044715 x³), which is 2 / (1 + e^(-2u)) - 1; t is kept.
  (func (export "gelu") (param $x i32) (param $y i32) (param $t i32) (param $bytes i32)
    (local $end i32) (local $v v128) (local $u v128)
    (local.set $end (i32.add (local.get $x) (local.get $bytes)))
    (loop $go
      (local.set $v (v128.load (local.get $x)))
      (local.set $u (call $exp (f32x4.mul
        (f32x4.mul (local.get $v) (v128.const f32x4 -1.5957691216 -1.5957691216 -1.5957691216 -1.5957691216))
        (f32x4.add (v128.const f32x4 1 1 1 1) (f32x4.mul
          (f32x4.mul (local.get $v) (local.get $v))
          (v128.const f32x4 0.044715 0.044715 0.044715 0.044715))))))
      (local.set $u (f32x4.div (v128.const f32x4 1 1 1 1)
        (f32x4.add (local.get $u) (v128.const f32x4 1 1 1 1))))
      (v128.store (local.get $y) (f32x4.mul (local.get $v) (local.get $u)))
      (v128.store (local.get $t)
        (f32x4.sub (f32x4.add (local.get $u) (local.get $u)) (v128.const f32x4 1 1 1 1)))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (local.set $t (i32.add (local.get $t) (i32.const 16)))
      (br_if $go (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; dx = dy (1 + t + x (1 - t²) √(2/π) (1 + 3 · 0.044715 x²)) / 2.
  (func (export "gelu_back") (param $dy i32) (param $x i32) (param $t i32) (param $dx i32) (param $bytes i32)
    (local $end i32) (local $v v128) (local $u v128)
    (local.set $end (i32.add (local.get $x) (local.get $bytes)))
    (loop $go
      (local.set $v (v128.load (local.get $x)))
      (local.set $u (v128.load (local.get $t)))
      (v128.store (local.get $dx) (f32x4.mul
        (f32x4.mul (v128.load (local.get $dy)) (v128.const f32x4 0.5 0.5 0.5 0.5))
        (f32x4.add (f32x4.add (v128.const f32x4 1 1 1 1) (local.get $u))
          (f32x4.mul
            (f32x4.mul (local.get $v) (f32x4.sub (v128.const f32x4 1 1 1 1)
              (f32x4.mul (local.get $u) (local.get $u))))
            (f32x4.mul (v128.const f32x4 0.7978845608 0.7978845608 0.7978845608 0.7978845608)
              (f32x4.add (v128.const f32x4 1 1 1 1) (f32x4.mul
                (f32x4.mul (local.get $v) (local.get $v))
                (v128.const f32x4 0.134145 0.134145 0.134145 0.134145))))))))
      (local.set $dy (i32.add (local.get $dy) (i32.const 16)))
      (local.set $t (i32.add (local.get $t) (i32.const 16)))
      (local.set $dx (i32.add (local.get $dx) (i32.const 16)))
      (br_if $go (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; Each row of x less its mean, divided by its size, is kept at $normal, and 1 / size at $scale; y = normal gain + bias.
  (func (export "norm") (param $x i32) (param $gain i32) (param $bias i32) (param $y i32) (param $normal i32)
    (param $scale i32) (param $rows i32) (param $bytes i32) (param $eps f32)
    (local $j i32) (local $many f32) (local $v v128) (local $t v128) (local $mean v128)
    (local.set $many (f32.convert_i32_u (i32.shr_u (local.get $bytes) (i32.const 2))))
    (loop $row
      (local.set $t (v128.const i32x4 0 0 0 0))
      (local.set $j (i32.const 0))
      (loop $add
        (local.set $t (f32x4.add (local.get $t) (v128.load (i32.add (local.get $x) (local.get $j)))))
        (br_if $add (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $bytes))))
      (local.set $mean (f32x4.splat (f32.div (call $sum (local.get $t)) (local.get $many))))
      (local.set $t (v128.const i32x4 0 0 0 0))
      (local.set $j (i32.const 0))
      (loop $squares
        (local.set $v (f32x4.sub (v128.load (i32.add (local.get $x) (local.get $j))) (local.get $mean)))
        (local.set $t (f32x4.add (local.get $t) (f32x4.mul (local.get $v) (local.get $v))))
        (br_if $squares (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $bytes))))
      (f32.store (local.get $scale) (f32.div (f32.const 1) (f32.sqrt
        (f32.add (f32.div (call $sum (local.get $t)) (local.get $many)) (local.get $eps)))))
      (local.set $t (f32x4.splat (f32.load (local.get $scale))))
      (local.set $j (i32.const 0))
      (loop $out
        (local.set $v (f32x4.mul (local.get $t)
          (f32x4.sub (v128.load (i32.add (local.get $x) (local.get $j))) (local.get $mean))))
        (v128.store (i32.add (local.get $normal) (local.get $j)) (local.get $v))
        (v128.store (i32.add (local.get $y) (local.get $j)) (f32x4.add
          (v128.load (i32.add (local.get $bias) (local.get $j)))
          (f32x4.mul (local.get $v) (v128.load (i32.add (local.get $gain) (local.get $j))))))
        (br_if $out (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $bytes))))
      (local.set $x (i32.add (local.get $x) (local.get $bytes)))
      (local.set $y (i32.add (local.get $y) (local.get $bytes)))
      (local.set $normal (i32.add (local.get $normal) (local.get $bytes)))
      (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; dx = scale (dy gain - its mean - normal times the mean of dy gain normal); dy normal is added to $dgain, dy to $dbias.
  (func (export "norm_back") (param $dy i32) (param $normal i32) (param $scale i32) (param $gain i32) (param $dgain i32)
    (param $dbias i32) (param $dx i32) (param $rows i32) (param $bytes i32)
    (local $j i32) (local $many f32) (local $v v128) (local $d v128) (local $n v128) (local $mean v128)
    (local $along v128)
    (local.set $many (f32.convert_i32_u (i32.shr_u (local.get $bytes) (i32.const 2))))
    (loop $row
      (local.set $mean (v128.const i32x4 0 0 0 0))
      (local.set $along (local.get $mean))
      (local.set $j (i32.const 0))
      (loop $add
        (local.set $d (v128.load (i32.add (local.get $dy) (local.get $j))))
        (local.set $n (v128.load (i32.add (local.get $normal) (local.get $j))))
        (local.set $v (f32x4.mul (local.get $d) (v128.load (i32.add (local.get $gain) (local.get $j)))))
        (local.set $mean (f32x4.add (local.get $mean) (local.get $v)))
        (local.set $along (f32x4.add (local.get $along) (f32x4.mul (local.get $v) (local.get $n))))
        (v128.store (i32.add (local.get $dgain) (local.get $j)) (f32x4.add
          (v128.load (i32.add (local.get $dgain) (local.get $j)))
          (f32x4.mul (local.get $d) (local.get $n))))
        (v128.store (i32.add (local.get $dbias) (local.get $j)) (f32x4.add
          (v128.load (i32.add (local.get $dbias) (local.get $j)))
          (local.get $d)))
        (br_if $add (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $bytes))))
      (local.set $mean (f32x4.splat (f32.div (call $sum (local.get $mean)) (local.get $many))))
      (local.set $along (f32x4.splat (f32.div (call $sum (local.get $along)) (local.get $many))))
      (local.set $v (f32x4.splat (f32.load (local.get $scale))))
      (local.set $j (i32.const 0))
      (loop $out
        (v128.store (i32.add (local.get $dx) (local.get $j)) (f32x4.mul (local.get $v) (f32x4.sub
          (f32x4.sub
            (f32x4.mul (v128.load (i32.add (local.get $dy) (local.get $j)))
              (v128.load (i32.add (local.get $gain) (local.get $j))))
            (local.get $mean))
          (f32x4.mul (local.get $along) (v128.load (i32.add (local.get $normal) (local.get $j)))))))
        (br_if $out (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 16))) (local.get $bytes))))
      (local.set $dy (i32.add (local.get $dy) (local.get $bytes)))
      (local.set $normal (i32.add (local.get $normal) (local.get $bytes)))
      (local.set $dx (i32.add (local.get $dx) (local.get $bytes)))
      (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; One step of AdamW on $bytes of parameters p, by gradient g and the running means m and v: m = b1 m + (1 - b1) g,
  ;; v = b2 v + (1 - b2) g², p = keep p - rate m / (root √v + small).
  (func (export "adamw") (param $p i32) (param $g i32) (param $m i32) (param $v i32) (param $bytes i32)
    (param $b1 f32) (param $b2 f32) (param $keep f32) (param $rate f32) (param $root f32) (param $small f32)
    (local $end i32) (local $d v128) (local $mean v128) (local $square v128)
    (local.set $end (i32.add (local.get $p) (local.get $bytes)))
    (loop $go
      (local.set $d (v128.load (local.get $g)))
      (local.set $mean (f32x4.add
        (f32x4.mul (f32x4.splat (local.get $b1)) (v128.load (local.get $m)))
        (f32x4.mul (f32x4.splat (f32.sub (f32.const 1) (local.get $b1))) (local.get $d))))
      (local.set $square (f32x4.add
        (f32x4.mul (f32x4.splat (local.get $b2)) (v128.load (local.get $v)))
        (f32x4.mul (f32x4.splat (f32.sub (f32.const 1) (local.get $b2)))
          (f32x4.mul (local.get $d) (local.get $d)))))
      (v128.store (local.get $m) (local.get $mean))
      (v128.store (local.get $v) (local.get $square))
      (v128.store (local.get $p) (f32x4.sub
        (f32x4.mul (f32x4.splat (local.get $keep)) (v128.load (local.get $p)))
        (f32x4.div
          (f32x4.mul (f32x4.splat (local.get $rate)) (local.get $mean))
          (f32x4.add
            (f32x4.mul (f32x4.splat (local.get $root)) (f32x4.sqrt (local.get $square)))
            (f32x4.splat (local.get $small))))))
      (local.set $g (i32.add (local.get $g) (i32.const 16)))
      (local.set $m (i32.add (local.get $m) (i32.const 16)))
      (local.set $v (i32.add (local.get $v) (i32.const 16)))
      (br_if $go (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end)))))

  ;; $bytes of x + y, to their place, which may be that of x.
  (func (export "add") (param $x i32) (param $y i32) (param $out i32) (param $bytes i32) (local $end i32)
    (local.set $end (i32.add (local.get $x) (local.get $bytes)))
    (loop $go
      (v128.store (local.get $out) (f32x4.add (v128.load (local.get $x)) (v128.load (local.get $y))))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $go (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; Every row of x, of $bytes each, is added to y.
  (func (export "add_rows") (param $x i32) (param $rows i32) (param $bytes i32) (param $y i32)
    (local $p i32) (local $end i32)
    (loop $row
      (local.set $end (i32.add (local.get $x) (local.get $bytes)))
      (local.set $p (local.get $y))
      (loop $go
        (v128.store (local.get $p) (f32x4.add (v128.load (local.get $p)) (v128.load (local.get $x))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br_if $go (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; The sum of the squares of $bytes of x, added in float64.
  (func (export "squares") (param $x i32) (param $bytes i32) (result f64)
    (local $end i32) (local $v v128) (local $d v128) (local $t v128)
    (local.set $end (i32.add (local.get $x) (local.get $bytes)))
    (loop $go
      (local.set $v (v128.load (local.get $x)))
      (local.set $d (f64x2.promote_low_f32x4 (local.get $v)))
      (local.set $t (f64x2.add (local.get $t) (f64x2.mul (local.get $d) (local.get $d))))
      (local.set $d (f64x2.promote_low_f32x4
        (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $v) (local.get $v))))
      (local.set $t (f64x2.add (local.get $t) (f64x2.mul (local.get $d) (local.get $d))))
      (br_if $go (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
    (f64.add (f64x2.extract_lane 0 (local.get $t)) (f64x2.extract_lane 1 (local.get $t)))))
