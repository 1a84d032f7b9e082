import { expect, test } from 'vitest';
import { checkMailServer, requiresTls } from './mail-server.ts';
import { openSmtpServer } from './testing/smtp-server.ts';

test('a password crosses a network with TLS only, unless the address allows it otherwise', () => {
  for (const url of ['smtp://ann:secret@mail.example.com:587', 'smtp://ann:secret@localhost.example.com'])
    expect(requiresTls(url), url).toBe(true);
  for (const url of [
    'smtp://mail.example.com:25',
    'smtp://ann:secret@127.0.0.1:1025',
    'smtp://ann:secret@[::1]:1025',
    'smtp://ann:secret@mail.example.com:587?ignoreTLS=true',
  ]) {
    expect(requiresTls(url), url).toBe(false);
  }
});

test('a server without TLS is used where no password crosses a network, and refused where TLS is required', async () => {
  const server = await openSmtpServer();
  try {
    await checkMailServer(server.url);
    await expect(checkMailServer(`${server.url}?requireTLS=true`)).rejects.toThrow();
  } finally {
    await server.close();
  }
});
