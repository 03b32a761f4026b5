"""The workers of a page under a test: their clock, what fails in them, and which of them have ended."""

# `script` comes in front of the text of each worker; `workers` are the page's, with `over` where they were ended
PREPARED = """(script) => {
  const Text = Blob, Made = Worker;
  globalThis.Blob = class extends Text {
    constructor(parts, how) { super(how?.type === "text/javascript" ? [script, ...parts] : parts, how); }
  };
  globalThis.workers = [];
  globalThis.Worker = class extends Made {
    constructor(...how) { super(...how); workers.push(this); }
    terminate() { this.over = true; super.terminate(); }
  };
}"""
# each token takes less time than the one before, or more: what is timed later is faster, or slower
FASTER = "let looks = 0; performance.now = () => 100 * Math.sqrt(looks++);"
SLOWER = "let looks = 0; performance.now = () => looks++ ** 2;"
SECOND = 'let second = false; addEventListener("message", ({ data }) => { if (data.ask === "help") second = true; });'


def at_the_third_sum(numbers: int, act: str) -> str:
    """In the second worker `act` takes the place of the third message of so many numbers: in the middle of a text."""
    return f"""{SECOND} let sums = 0;
      const put = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (message, ...how) {{
        if (second && message?.length === {numbers} && ++sums === 3) {{ {act} }}
        else put.call(this, message, ...how);
      }};"""


ENDS = {
    "closed": "close();",
    "failed": 'throw new Error("over");',
    "failed elsewhere": 'setTimeout(() => { throw new Error("over"); });',
}
NO_ROOM = f"""{SECOND}
  const Room = WebAssembly.Memory;
  WebAssembly.Memory = class extends Room {{
    constructor(how) {{ if (second) throw new RangeError("no room"); super(how); }}
  }};"""
NO_LOOPS = "WebAssembly.validate = () => false;"
