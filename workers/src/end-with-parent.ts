/** A process that has not ended by then is ended at once. */
const LONGEST_END_MS = 60_000;

/**
 * Ends this process as SIGTERM does once the process that started it is gone, however that ended: the operating system
 * closes the channel between the two also for a parent that was killed. Does nothing in a process that has no parent of
 * this kind.
 */
export function endWithParent(): void {
  if (!process.channel) return;
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // The listener alone must not keep a process alive that has finished.
  process.channel.unref();
}
