import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import type { RequestContext } from '../http/context.ts';

/** For documents with hundreds of parts: 300 rules with their switches, 200 contracts of a note, 500 corrected rows. */
export const LARGE_BODY_BYTES = 16 * 1024 * 1024;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who can make the call: anyone, any signed-in user, the holder of a refresh cookie, or a holder of the permission. */
export type Access = 'public' | 'signed-in' | 'refresh cookie' | PermissionKey;

/** One call as its handler sees it. Everything is parsed, and the actor is known (null only if access is public). */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly actor: UserActor;
  /** The services, and the per-request values that are not in the request itself. */
  readonly context: RequestContext;
  readonly request: Request;
  readonly origin: CallOrigin;
  /** Runs lists as the actor in one round trip to the database. Lists change nothing. */
  read<Result>(work: (session: ReadSession) => Promise<Result>): Promise<Result>;
  /** Runs operations in one database transaction as the actor. */
  db<Result>(work: (session: Session) => Promise<Result>, options?: { rollback: boolean }): Promise<Result>;
}

export interface EndpointAnswer {
  readonly status?: 200 | 201 | 204;
  readonly body?: unknown;
  /** Number of documents before skip and limit. Sent as X-Docs-Count. */
  readonly count?: number;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
}

/** A page of a list: what matches the query. */
export type LoadDocuments = (session: ReadSession, query: unknown) => Promise<Page<object>>;

/** A body that a call accepts, and a response of it. */
export interface Example {
  readonly body?: unknown;
  readonly response?: unknown;
}

/**
 * One REST call: its address, who can make it, its input and its output. Validation, errors, permission checks and the
 * OpenAPI page are all derived from it.
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
  /** Largest body in bytes, if the usual 1 MB is too small for what the schema accepts. */
  readonly maxBodyBytes?: number;
  readonly response: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** Media types of the files that the call can answer instead of JSON. */
  readonly files?: readonly string[];
  /** A body and a response that the OpenAPI document shows. */
  readonly example?: Example;
  /** The documents of a list, for files with its rows. */
  readonly load?: LoadDocuments;
  readonly handle: (call: Call<never, never, never>) => Promise<EndpointAnswer | Response>;
}

export type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

/** Defines an endpoint. The types of the handler's params, query and body come from the schemas. */
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
  maxBodyBytes?: number;
  response: z.ZodType;
  status?: 200 | 201 | 204;
  files?: readonly string[];
  example?: Example;
  load?: LoadDocuments;
  handle: (call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>>) => Promise<EndpointAnswer | Response>;
}): Endpoint {
  const status = definition.status ?? (definition.method === 'POST' ? 201 : 200);
  return { ...definition, status } as unknown as Endpoint;
}

/** Whether a request of the endpoint may have a key: what it creates is created once. */
export const acceptsKey = ({ method, status, access }: Endpoint): boolean =>
  method === 'POST' && status === 201 && access !== 'public' && access !== 'refresh cookie';
