/**
 * Preloaded into our own children (`node --import`). The supervisor holds the other end of a channel; when it vanishes
 * (killed without a chance to end its children) the channel closes, and the child asks itself to end in good order.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.channel !== undefined) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    // A child that cannot end in order must not outlive its supervisor for long.
    setTimeout(() => process.exit(1), 10_000).unref();
  });
  process.channel.unref();
}
