/** The error catalogue: every answer that is not a success carries one of these codes, names and default messages. */
export const ERROR_CATALOGUE = {
  badRequest: { status: 400, name: 'BadRequest', message: 'Something went wrong' },
  unauthorized: { status: 401, name: 'UnAuthorized', message: 'Please sign in first' },
  forbidden: { status: 403, name: 'Forbidden', message: 'You are not allowed to access this route' },
  notFound: { status: 404, name: 'NotFound', message: 'Not found' },
  tooMany: {
    status: 429,
    name: 'TooMany',
    message: 'Slow down. You are trying to access this route too frequent.',
  },
  serverError: { status: 502, name: 'ServerError', message: 'Try again later or contact the support' },
} as const;

export type RefusalCode = keyof typeof ERROR_CATALOGUE;

/** Field path to reason, for example `{ title: 'is required' }`. */
export type Flags = Record<string, string>;

/** One fault in words, with where it stands. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * An expected failure: something the caller can understand and mend. Bugs throw plain errors instead.
 * @param message what to do about it; the catalogue's default where left out.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly flags: Flags | undefined;
  readonly issues: readonly Issue[] | undefined;

  constructor(
    code: RefusalCode,
    message?: string,
    details: { flags?: Flags; issues?: readonly Issue[]; cause?: unknown } = {},
  ) {
    super(message ?? ERROR_CATALOGUE[code].message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.flags = details.flags;
    this.issues = details.issues;
  }
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

/** A bad request built from faults with paths (a zod error's issues, for instance): flags name each path once. */
export function refuseIssues(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  message?: string,
): Refusal {
  const flags: Flags = {};
  for (const issue of issues) {
    const path = issue.path.map(String).join('.');
    flags[path] ??= issue.message;
  }
  const first = issues[0];
  return new Refusal('badRequest', message ?? first?.message, {
    flags,
    issues: issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      message: issue.message,
    })),
  });
}
