import { asReason, type Reason, reason, reasonOfIssue, sentenceOf, TOO_FREQUENT, textOf, type Why } from './reason.ts';

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
    other: TOO_FREQUENT,
  },
  serverError: {
    status: 502,
    name: 'ServerError',
    message: 'Try again later or contact the support',
    other: 'Something went wrong',
  },
} as const;

export type RefusalCode = keyof typeof ERROR_CATALOGUE;

/** Field path to the text of a reason, for example `{ title: 'is required' }`. */
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
 * An expected failure: something the caller can understand and mend. Bugs throw plain errors instead. Texts are for
 * people: a program that must tell one refusal from another asks for the code of `reason` or `reasons`.
 * @param why what to do about it; left out, the first flag as a sentence, or the catalogue's default
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  /** What the message says; null if it is the first flag, or the catalogue's default. */
  readonly reason: Reason | null;
  readonly flags: Flags | undefined;
  /** What the flags say, by their paths. */
  readonly reasons: Readonly<Record<string, Reason>>;
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
    why?: Why,
    details: {
      flags?: Readonly<Record<string, Why>>;
      issues?: readonly Issue[];
      retryAfterSeconds?: number;
      conflict?: Conflict;
      questions?: readonly string[];
      askedAbout?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    const [first] = Object.entries(details.flags ?? {});
    super(
      why === undefined
        ? first === undefined
          ? ERROR_CATALOGUE[code].message
          : sentenceOf(first[0], textOf(first[1]))
        : textOf(why),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.reason = why === undefined ? null : asReason(why);
    this.flags = details.flags && mapValues(details.flags, textOf);
    this.reasons = mapValues(details.flags ?? {}, asReason);
    this.issues = details.issues;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.conflict = details.conflict;
    this.questions = details.questions;
    this.askedAbout = details.askedAbout;
  }
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Refuses a request. @param flags what is wrong at which field @throws Refusal badRequest */
export function refuse(why: Why, flags: Readonly<Record<string, Why>>): never {
  throw new Refusal('badRequest', why, { flags });
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

/** The refusal of a call that came too soon, with how long to wait. */
export function tooSoon(waitSeconds: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
  return new Refusal('tooMany', reason('tooSoon', { seconds: retryAfterSeconds }), { retryAfterSeconds });
}

/**
 * A bad request built from issues with paths (a zod error's, for instance): flags name each path once.
 * @param message left out, the first issue as a sentence that names its field
 */
export function refuseIssues(
  issues: readonly { path: readonly PropertyKey[]; message: string; params?: unknown }[],
  message?: string,
): Refusal {
  const flags: Record<string, Reason> = {};
  for (const issue of issues) {
    const path = issue.path.map(String).join('.');
    flags[path] ??= reasonOfIssue(issue);
  }
  return new Refusal('badRequest', message, {
    flags,
    issues: issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      message: textOf(reasonOfIssue(issue)),
    })),
  });
}

/**
 * The error of one item of a list: a refusal names the item, and its flags start with the item's index (`3.title`).
 * @param name what the item is to people, if it is known: "Ada Moss". Left out, its position: "Item 2"
 */
export function atItem(error: unknown, index: number, name = `Item ${index + 1}`): unknown {
  if (!isRefusal(error)) return error;
  return atPaths(error, (path) => `${index}.${path}`, `${name}: ${error.message}`);
}

/**
 * The same refusal with its flags at other paths, for example at the fields of a form.
 * @param pathOf the new path of a flag
 * @param why the new message. Default: the old one
 */
export const atPaths = (
  refusal: Refusal,
  pathOf: (path: string, reason: Reason) => string,
  why: Why = refusal.reason ?? refusal.message,
): Refusal =>
  new Refusal(refusal.code, why, {
    flags: Object.fromEntries(Object.entries(refusal.reasons).map(([path, each]) => [pathOf(path, each), each])),
    cause: refusal,
  });

/** The result of some work, whose refusals have their flags at other paths. */
export const flagsAt = <Result>(
  work: Promise<Result>,
  pathOf: (path: string, reason: Reason) => string,
): Promise<Result> =>
  work.catch((error: unknown) => {
    throw isRefusal(error) && error.flags ? atPaths(error, pathOf) : error;
  });

/** What happens to the refusal of one item of a list. Without it, the refusal is thrown and nothing is saved. */
export type OnRefusal = (refusal: Refusal, index: number) => void;

/** Hands the refusal of an item to `onRefusal`; throws it, naming the item, if there is none. Bugs are always thrown. */
export function refuseItem(error: unknown, index: number, onRefusal: OnRefusal | undefined): null {
  if (!onRefusal || !isRefusal(error)) throw atItem(error, index);
  onRefusal(error, index);
  return null;
}

/** The result of the work for each item; null for an item whose refusal `onRefusal` took. */
export const eachItem = <Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
  onRefusal?: OnRefusal,
): (Result | null)[] =>
  items.map((item, index) => {
    try {
      return work(item, index);
    } catch (error) {
      return refuseItem(error, index, onRefusal);
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
  const flags = Object.assign({}, ...refusals.toReversed().map(({ reasons }) => reasons)) as Record<string, Reason>;
  throw new Refusal(first.code, first.reason ?? first.message, { flags });
}

/** For a promise's `catch`: null where something may be missing or hidden, and the rest is shown without it. */
export function nullIfRefused(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}

/** Why something was refused: at its first field, or as a whole. @throws what is no refusal */
export function reasonOfRefusal(error: unknown): string {
  if (!isRefusal(error)) throw error;
  return Object.values(error.flags ?? {})[0] ?? error.message;
}
