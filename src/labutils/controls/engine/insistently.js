// A question to Python that is asked again while no answer comes.

export const SLOW = 10000; // ms without an answer, after which the reader is told and Python asked again
export const SILENT = "Python has not answered yet. If no cell is running, choose Run, then Run All Cells.";

/**
 * Ask again until `stop` is called, each time after twice the wait: a question or its answer is lost where JupyterLab
 * had to connect anew while a cell ran. Nothing is asked of a kernel that is gone.
 * @returns {() => void} stop
 */
export function insistently(question, silent) {
  let wait = SLOW,
    timer = setTimeout(again, wait);
  function again() {
    silent();
    wait *= 2;
    timer = setTimeout(again, wait);
    try {
      question();
    } catch {
      clearTimeout(timer);
    }
  }
  return () => clearTimeout(timer);
}
