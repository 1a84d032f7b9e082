/** After this time, an unanswered form can be submitted again, because the person may have stopped the request. */
const SENT_AGAIN_AFTER_MS = 15_000;

/**
 * A script for the head of every page. It prevents a button from submitting its form again while the form is pending.
 * It handles forms that the browser submits itself, before the page's own scripts have loaded. Later, `PostForm` has
 * already called `preventDefault` when this listener runs.
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
