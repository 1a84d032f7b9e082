import { describe, expect, it } from 'vitest';
import { issueAccessToken, readAccessToken } from './access-token.server.ts';

const claims = { userId: 'a'.repeat(24), familyId: 'b'.repeat(24) };
const now = new Date('2026-11-02T09:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('access tokens', () => {
  it('say whom they were issued to, for ten minutes', async () => {
    const token = await issueAccessToken('one secret of this instance', claims, now);
    expect(await readAccessToken('one secret of this instance', token, later(599))).toEqual(claims);
    expect(await readAccessToken('one secret of this instance', token, later(600))).toBeNull();
    expect(await readAccessToken('one secret of this instance', token, later(601))).toBeNull();
  });
  it('are worth nothing under another secret after they were read under their own', async () => {
    const token = await issueAccessToken('one secret of this instance', claims, now);
    expect(await readAccessToken('one secret of this instance', token, now)).toEqual(claims);
    expect(await readAccessToken('another secret altogether', token, now)).toBeNull();
    expect(await readAccessToken('one secret of this instance', `${token.slice(0, -4)}AAAA`, now)).toBeNull();
  });
  it('are worth nothing under another secret, altered, or without a signature', async () => {
    const token = await issueAccessToken('one secret of this instance', claims, now);
    expect(await readAccessToken('another secret altogether', token, now)).toBeNull();
    const [header, payload] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    expect(await readAccessToken('one secret of this instance', `${forged}.${payload}.`, now)).toBeNull();
    expect(await readAccessToken('one secret of this instance', `${header}.${payload}.AAAA`, now)).toBeNull();
  });
});
