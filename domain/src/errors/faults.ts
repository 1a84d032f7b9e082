/** A file arrived in part, or another step is still writing it. Reading it again can succeed. */
export class IncompleteFile extends Error {
  override readonly name = 'IncompleteFile';
}

/** A thread ended before its work was done. Doing the work again can succeed. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}
