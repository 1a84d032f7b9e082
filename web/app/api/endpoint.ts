import type { CallOrigin } from '@tapeline/db/store.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import type { RequestContext } from '../context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anyone, anyone signed in, the holder of a refresh cookie, or a holder of the permission. */
export type Access = 'public' | 'signed-in' | 'refresh cookie' | PermissionKey;

/** One call as its handler sees it: everything parsed, the actor known (null only where access is public). */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly actor: UserActor;
  /** The services, and what the request brings besides itself. */
  readonly context: RequestContext;
  readonly request: Request;
  readonly origin: CallOrigin;
}

export interface Answer {
  readonly status?: 200 | 201 | 204;
  readonly body?: unknown;
  /** Documents before skip and limit; goes out as X-Docs-Count. */
  readonly count?: number;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
}

/**
 * One REST call: how it is reached, who may, what it takes and gives. Validation, errors, permission and the OpenAPI
 * page all come from here.
 */
export interface Endpoint {
  readonly method: Method;
  /** With parameters in braces: '/crud/companies/{id}'. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  readonly status: 200 | 201 | 204;
  readonly handle: (call: Call<never, never, never>) => Promise<Answer | Response>;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

/** Defines an endpoint; the handler's params, query and body have the types that the schemas give. */
export function endpoint<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: {
  method: Method;
  path: string;
  access: Access;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  response: z.ZodType;
  status?: 200 | 201 | 204;
  handle: (call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>>) => Promise<Answer | Response>;
}): Endpoint {
  const status = definition.status ?? (definition.method === 'POST' ? 201 : 200);
  return { ...definition, status } as unknown as Endpoint;
}
