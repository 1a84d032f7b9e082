import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What the server does with the next message: takes it, refuses it for now or for good, or never answers. */
export type Behaviour = 'accept' | 'refuse' | 'reject' | 'hang';

export interface TestSmtpServer {
  readonly url: string;
  /** The messages that it took, as sent. */
  readonly messages: string[];
  /** All messages that it was offered, whatever it did with them. */
  readonly offered: string[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

const REPLIES = { accept: '250 taken', refuse: '451 try again later', reject: '554 not wanted' } as const;

/** A mail server on a free port. It speaks just enough SMTP for one message at a time. */
export async function openSmtpServer(): Promise<TestSmtpServer> {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = 'accept';
  const offered: string[] = [];

  function converse(socket: Socket): void {
    let body: string[] | null = null;
    const reply = (line: string) => void socket.write(`${line}\r\n`);
    const endOfMessage = (message: string) => {
      offered.push(message);
      if (behaviour === 'hang') return;
      if (behaviour === 'accept') messages.push(message);
      reply(REPLIES[behaviour]);
    };
    reply('220 test');
    const lines = createInterface({ input: socket });
    // It reports the errors of the socket a second time.
    lines.on('error', () => lines.close());
    lines.on('line', (line) => {
      if (body) {
        if (line !== '.') return void body.push(line);
        endOfMessage(body.join('\n'));
        body = null;
      } else if (/^DATA/i.test(line)) {
        body = [];
        reply('354 go on');
      } else if (/^QUIT/i.test(line)) {
        reply('221 bye');
        socket.end();
      } else {
        reply('250 fine');
      }
    });
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that is killed resets its connection.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    converse(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    offered,
    behave: (next) => {
      behaviour = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
