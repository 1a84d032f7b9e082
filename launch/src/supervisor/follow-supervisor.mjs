/**
 * Preloaded into our own children (`node --import`). The supervisor holds the other end of the IPC channel. If the
 * supervisor disappears (killed before it could stop its children), the channel closes and the child shuts itself down
 * gracefully.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.channel !== undefined) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    // A child that cannot shut down gracefully must not outlive its supervisor for long.
    setTimeout(() => process.exit(1), 10_000).unref();
  });
  process.channel.unref();
}
