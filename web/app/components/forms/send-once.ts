/** After this long a form that was sent and not answered may be sent again: the person may have stopped it. */
const SENT_AGAIN_AFTER_MS = 15_000;

/**
 * A script for the head of every page: a button whose form is on its way does not send it again. It minds the forms that the browser sends
 * by itself, before the page's own scripts have come; what those send (`PostForm`) they have prevented by the time that it looks.
 */
export const SEND_ONCE = `{
  const sentAt = new WeakMap();
  addEventListener('submit', (event) => {
    if (event.defaultPrevented || event.target.method !== 'post') return;
    const by = event.submitter ?? event.target;
    if (event.timeStamp - (sentAt.get(by) ?? -Infinity) < ${SENT_AGAIN_AFTER_MS}) event.preventDefault();
    else sentAt.set(by, event.timeStamp);
  });
}`;
