/** A file between two steps was written or read in part. Reading it again can succeed. */
export class IncompleteFile extends Error {
  override readonly name = 'IncompleteFile';
}

/** A thread ended before its work was done. Doing the work again can succeed. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}
