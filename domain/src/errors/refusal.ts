import { sentenceOf } from './issues.ts';

/**
 * The error catalogue: every answer that is not a success carries one of these codes and names. `message` is the default
 * message, `other` the second one of the specification.
 */
export const ERROR_CATALOGUE = {
  badRequest: {
    status: 400,
    name: 'BadRequest',
    message: 'Something went wrong',
    other: 'Your action request is invalid and requires additional information',
  },
  unauthorized: {
    status: 401,
    name: 'UnAuthorized',
    message: 'Please sign in first',
    other: 'You must sign in to access this resource',
  },
  forbidden: {
    status: 403,
    name: 'Forbidden',
    message: 'You are not allowed to access this route',
    other: 'You do not have enough permissions to perform this action',
  },
  notFound: {
    status: 404,
    name: 'NotFound',
    message: 'Not found',
    other: 'The resource you are trying to get was not found',
  },
  tooMany: {
    status: 429,
    name: 'TooMany',
    message: 'Slow down. You are trying to access this route too frequent.',
    other: 'Slow down, you have tried to access this resource too frequent',
  },
  serverError: {
    status: 502,
    name: 'ServerError',
    message: 'Try again later or contact the support',
    other: 'Something went wrong',
  },
} as const;

export type RefusalCode = keyof typeof ERROR_CATALOGUE;

/** Field path to reason, for example `{ title: 'is required' }`. */
export type Flags = Record<string, string>;

/** One problem and its path. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a change conflicts with: the document as it is now. */
export interface Conflict {
  readonly documentId: string;
  /** The version that the change was made for, and the stored one. */
  readonly sent: number;
  readonly latest: number;
  /** Who stored it, and when (ISO 8601). */
  readonly by: string;
  readonly at: string;
}

/**
 * An expected failure: something the caller can understand and mend. Bugs throw plain errors instead.
 * @param message what to do about it; left out, the first flag as a sentence, or the catalogue's default
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly flags: Flags | undefined;
  readonly issues: readonly Issue[] | undefined;
  /** Seconds until the same call is accepted again; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Somebody else changed the document in the meantime. */
  readonly conflict: Conflict | undefined;
  /** What looks like a mistake. It is stored once a person confirms it. */
  readonly questions: readonly string[] | undefined;
  /** The ids of the documents that questions are about, by question. */
  readonly askedAbout: Readonly<Record<string, string>> | undefined;

  constructor(
    code: RefusalCode,
    message?: string,
    details: {
      flags?: Flags;
      issues?: readonly Issue[];
      retryAfterSeconds?: number;
      conflict?: Conflict;
      questions?: readonly string[];
      askedAbout?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(
      message ?? firstFlag(details.flags) ?? ERROR_CATALOGUE[code].message,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.flags = details.flags;
    this.issues = details.issues;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.conflict = details.conflict;
    this.questions = details.questions;
    this.askedAbout = details.askedAbout;
  }
}

function firstFlag(flags: Flags = {}): string | undefined {
  const [first] = Object.entries(flags);
  return first && sentenceOf(...first);
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

/**
 * Nothing was stored yet: a person is asked first whether this is right.
 * @param questions sentences with the values
 * @param askedAbout the ids of the documents that questions are about, by question
 */
export const askedRefusal = (
  questions: readonly string[],
  askedAbout: Readonly<Record<string, string>> = {},
): Refusal =>
  new Refusal('badRequest', `Nothing has been saved yet. ${questions.join(' ')}`, { questions, askedAbout });

/** "40 seconds", "1 minute", "12 minutes": rounded up, so that waiting that long is always enough. */
export function waitInWords(seconds: number): string {
  if (seconds < 60) return seconds <= 1 ? '1 second' : `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The refusal of a call that came too soon, with how long to wait. */
export function tooSoon(waitSeconds: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
  const message = `${ERROR_CATALOGUE.tooMany.other}. Try again in ${waitInWords(retryAfterSeconds)}.`;
  return new Refusal('tooMany', message, { retryAfterSeconds });
}

/**
 * A bad request built from issues with paths (a zod error's, for instance): flags name each path once.
 * @param message left out, the first issue as a sentence that names its field
 */
export function refuseIssues(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  message?: string,
): Refusal {
  const flags: Flags = {};
  for (const issue of issues) {
    const path = issue.path.map(String).join('.');
    flags[path] ??= issue.message;
  }
  return new Refusal('badRequest', message, {
    flags,
    issues: issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      message: issue.message,
    })),
  });
}

/**
 * The error of one item of a list: a refusal names the item, and its flags start with the item's index (`3.title`).
 * @param name what the item is to people, if it is known: "Ada Moss". Left out, its position: "Item 2"
 */
export function atItem(error: unknown, place: number, name = `Item ${place + 1}`): unknown {
  if (!isRefusal(error)) return error;
  const flags = Object.fromEntries(
    Object.entries(error.flags ?? {}).map(([path, reason]) => [`${place}.${path}`, reason]),
  );
  return new Refusal(error.code, `${name}: ${error.message}`, { flags, cause: error });
}

/** What happens to the refusal of one item of a list. Without it, the refusal is thrown and nothing is saved. */
export type OnRefusal = (refusal: Refusal, place: number) => void;

/** Hands the refusal of an item to `onRefusal`; throws it, naming the item, if there is none. Bugs are always thrown. */
export function refuseItem(error: unknown, place: number, onRefusal: OnRefusal | undefined): null {
  if (!onRefusal || !isRefusal(error)) throw atItem(error, place);
  onRefusal(error, place);
  return null;
}

/** The result of the work for each item; null for an item whose refusal `onRefusal` took. */
export const eachItem = <Item, Result>(
  items: readonly Item[],
  work: (item: Item, place: number) => Result,
  onRefusal?: OnRefusal,
): (Result | null)[] =>
  items.map((item, place) => {
    try {
      return work(item, place);
    } catch (error) {
      return refuseItem(error, place, onRefusal);
    }
  });

/** Runs every check, so that whoever mends a document sees all reasons at once. @throws Refusal with the flags of all */
export function checkAll(...checks: readonly (() => unknown)[]): void {
  const refusals = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return [error];
    }
  });
  const [first] = refusals;
  if (!first || refusals.length === 1) {
    if (first) throw first;
    return;
  }
  const flags = Object.assign({}, ...refusals.toReversed().map((refusal) => refusal.flags)) as Flags;
  throw new Refusal(first.code, first.message, { flags });
}
