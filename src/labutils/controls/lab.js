// Starts a control in JupyterLab, and sees to it that it hears Python even where it started late.

/**
 * anywidget 0.11 holds Python's messages back until the control's script has been read, and drops all of them, for
 * good, where that took more than two seconds, as on a machine that has much to do. A control that draws itself has
 * been read: from here on its messages go to it directly.
 */
function hear(model) {
  const whole = model.set({}); // of what anywidget hands over this alone returns the model itself
  const held = whole?._handle_comm_msg;
  let direct = whole;
  while (direct && direct._handle_comm_msg === held) direct = Object.getPrototypeOf(direct);
  if (direct?._handle_comm_msg) whole.comm?.on_msg(direct._handle_comm_msg.bind(whole));
}

/** The `render` that anywidget asks for. */
export const heard = (render) => (given) => {
  hear(given.model);
  return render(given);
};
