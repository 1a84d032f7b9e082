import { inject } from 'vitest';
import { type ApiClient, anonymous, signedIn, UNCOMPRESSED } from './api-client.ts';

const CSRF_COOKIE = 'tapeline_csrf';

/** Fields by name, or pairs if a name repeats or the order matters. */
export type FormFields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A browser without Chromium. Submits forms as a page without JavaScript does, and returns responses as text. */
export interface ScreenClient {
  readonly api: ApiClient;
  readonly cookie: string;
  readonly token: string;
  get(path: string, headers?: Record<string, string>): Promise<ScreenAnswer>;
  /** Submits the form, with its CSRF token first. */
  submit(path: string, fields: FormFields): Promise<ScreenAnswer>;
  /** Sends any body with the client's cookies. */
  send(path: string, body: RequestInit['body'], headers?: Record<string, string>): Promise<ScreenAnswer>;
}

export interface ScreenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Reads the body. */
export async function readAnswer(answer: Response): Promise<ScreenAnswer> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, text: new TextDecoder().decode(bytes), bytes };
}

/** The text of a page, as a person reads it: without scripts and tags. */
export const read = ({ text }: Pick<ScreenAnswer, 'text'>): string =>
  text
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ');

function open(api: ApiClient): ScreenClient {
  const cookie = [...api.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const token = api.cookies.get(CSRF_COOKIE) ?? '';
  const call = async (path: string, init: RequestInit): Promise<ScreenAnswer> => {
    const headers = { cookie, ...UNCOMPRESSED, ...(init.headers as Record<string, string>) };
    const answer = await fetch(new URL(path, inject('productUrl')), {
      ...init,
      headers,
      redirect: 'manual',
      ...(init.body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    return readAnswer(answer);
  };
  return {
    api,
    cookie,
    token,
    get: (path, headers = {}) => call(path, { headers }),
    submit: (path, fields) => {
      const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
      return call(path, { method: 'POST', body: new URLSearchParams([['csrf', token], ...pairs]) });
    },
    send: (path, body, headers = {}) => call(path, { method: 'POST', body: body ?? null, headers }),
  };
}

/** A client that is not signed in. */
export async function anonymousScreens(): Promise<ScreenClient> {
  return open(await anonymous());
}

/** A client that is signed in with this account. */
export async function screensOf(email: string): Promise<ScreenClient> {
  return open(await signedIn(email));
}

/** The fields of the page's form named by one of its fields, with their values. */
export function fieldsOf(answer: ScreenAnswer, named: string): Record<string, string> {
  const forms = answer.text.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((text) => text.includes(`name="${named}"`)) ?? '';
  const of = (tag: string, attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1];
  const inputs = (form.match(/<input[^>]*>/g) ?? []).flatMap((tag) => {
    const isOff = of(tag, 'type') === 'checkbox' && !/ checked/.test(tag);
    const name = of(tag, 'name');
    return name && !isOff ? [[name, of(tag, 'value') ?? (of(tag, 'type') === 'checkbox' ? 'on' : '')] as const] : [];
  });
  const selects = (form.match(/<select[\s\S]*?<\/select>/g) ?? []).flatMap((text) => {
    const chosen = text.match(/<option[^>]* selected[^>]*>/)?.[0] ?? text.match(/<option[^>]*>/)?.[0] ?? '';
    const name = of(text, 'name');
    return name ? [[name, of(chosen, 'value') ?? ''] as const] : [];
  });
  const texts = [...form.matchAll(/<textarea([^>]*)>([^<]*)<\/textarea>/g)].flatMap(([, tag = '', text = '']) => {
    const name = of(tag, 'name');
    return name ? [[name, text.trim()] as const] : [];
  });
  return Object.fromEntries([...inputs, ...selects, ...texts]);
}
