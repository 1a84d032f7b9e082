import { once } from 'node:events';
import type { CpuProfile } from './stages.ts';

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Profiles what a Node.js process that was started with --inspect does while the work runs. */
export async function profileDuring(inspectorUrl: string, work: () => Promise<void>): Promise<CpuProfile> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, 'open');
  let sent = 0;
  const send = (method: string, params = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++sent;
      const take = ({ data }: MessageEvent): void => {
        const reply = JSON.parse(String(data)) as Reply;
        if (reply.id !== id) return;
        socket.removeEventListener('message', take);
        if (reply.error) reject(new Error(reply.error.message));
        else resolve(reply.result);
      };
      socket.addEventListener('message', take);
      socket.send(JSON.stringify({ id, method, params }));
    });
  try {
    await send('Profiler.enable');
    await send('Profiler.setSamplingInterval', { interval: 200 });
    await send('Profiler.start');
    await work();
    return ((await send('Profiler.stop')) as { profile: CpuProfile }).profile;
  } finally {
    socket.close();
  }
}
