import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CookieJar } from './caller.ts';
import { codeOfMail, mailsTo, newestCode } from './sign-in-mail.ts';

describe('the code of a sign-in mail', () => {
  it('is six digits on a line of their own', () => {
    expect(codeOfMail('Subject: 123456 is no code\n\nYour code:\n\n402117\n\nIt lasts 10 minutes.')).toBe('402117');
    expect(codeOfMail('Hello\r\n\r\n031999\r\n')).toBe('031999');
    expect(codeOfMail('Call 5551234 or 1234567\n1234567\n12345\n')).toBeNull();
  });
});

describe('the mail folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tapeline-mail-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives the newest code to the address among the new mails', async () => {
    const put = (name: string, code: string) => writeFile(join(folder, name), `To: x\n\n${code}\n`);
    await put('2026-11-02T09-00-00.000Z-manager@tapeline.test.eml', '111111');
    const before = new Set(await mailsTo(folder, 'manager@tapeline.test'));
    expect(await newestCode(folder, 'manager@tapeline.test', before)).toBeNull();
    await put('2026-11-02T09-00-02.000Z-manager@tapeline.test.eml', '222222');
    await put('2026-11-02T09-00-03.000Z-manager@tapeline.test.eml', '333333');
    await put('2026-11-02T09-00-04.000Z-admin@tapeline.test.eml', '444444');
    await put('2026-11-02T09-00-05.000Z-manager@tapeline.test.eml.part', '555555');
    expect(await newestCode(folder, 'manager@tapeline.test', before)).toBe('333333');
  });

  it('may not be there yet', async () => {
    expect(await mailsTo(join(folder, 'none'), 'manager@tapeline.test')).toEqual([]);
  });
});

describe('a cookie jar', () => {
  it('keeps the last value of each cookie, with the equals signs inside it', () => {
    const jar = new CookieJar();
    const headers = new Headers();
    headers.append('set-cookie', 'tapeline_csrf=abc; Path=/; SameSite=Lax');
    headers.append('set-cookie', 'refresh=a=b==; HttpOnly');
    jar.take(headers);
    jar.take(new Headers({ 'set-cookie': 'tapeline_csrf=def' }));
    expect(jar.get('tapeline_csrf')).toBe('def');
    expect(jar.header()).toBe('tapeline_csrf=def; refresh=a=b==');
  });
});
