// A control on paper: what can be played stands at its end there, and where it stood once it is printed.

/**
 * @param {() => void} draw draws the control anew
 * @returns {{on: () => boolean, stop: () => void}} `on` says whether it is drawn for paper
 */
export function paper(draw) {
  let printing = false;
  const turn = ({ type }) => {
    printing = type === "beforeprint";
    draw();
  };
  for (const name of ["beforeprint", "afterprint"]) globalThis.addEventListener?.(name, turn);
  return {
    on: () => printing,
    stop: () => {
      for (const name of ["beforeprint", "afterprint"]) globalThis.removeEventListener?.(name, turn);
    },
  };
}
