import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { SIGNED_LIFETIME_MS, type SignedGrant } from './object-store.ts';

const sign = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(`signed file address\n${body}`).digest('base64url');

/** The grant as opaque text for an address: what it allows, and our signature over it. */
export function sealGrant(grant: Omit<SignedGrant, 'expiresAt'>, secret: string, now: Date): string {
  const whole: SignedGrant = { ...grant, expiresAt: now.getTime() + SIGNED_LIFETIME_MS };
  const body = Buffer.from(JSON.stringify(whole)).toString('base64url');
  return `${body}.${sign(body, secret)}`;
}

/** Reads a grant. @throws Refusal forbidden if it is forged, expired or for another method */
export function openGrant(token: string, secret: string, call: { method: string; now: Date }): SignedGrant {
  const [body = '', signature = '', ...rest] = token.split('.');
  const expected = Buffer.from(sign(body, secret));
  const actual = Buffer.from(signature);
  if (rest.length > 0 || expected.length !== actual.length || !timingSafeEqual(expected, actual)) {
    throw new Refusal('forbidden', 'This URL is not valid');
  }
  const grant = JSON.parse(Buffer.from(body, 'base64url').toString()) as SignedGrant;
  if (call.now.getTime() >= grant.expiresAt) throw new Refusal('forbidden', 'This URL has expired. Request a new one');
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  if (method !== grant.method) throw new Refusal('forbidden', `This URL does not allow ${call.method}`);
  return grant;
}
