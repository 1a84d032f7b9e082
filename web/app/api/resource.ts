import type { Listable } from '@tapeline/db/operations/listing/define-lists.ts';
import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import { type Groups, groupDocuments } from '@tapeline/db/operations/listing/list-figures.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { Collection as Described } from '@tapeline/domain/collections/collection.ts';
import { COLLECTIONS, type CollectionName, callsOf } from '@tapeline/domain/collections/collections.ts';
import { inSentence } from '@tapeline/domain/documents/field-labels.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { runInOrder } from '../commands/in-order.ts';
import type { RequestContext } from '../http/context.ts';
import { bulkRemove, bulkUpdate, itemsOf, oneOrMany, removedSchema } from './bulk.ts';
import { groupBodies, groupBodySchema, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES, type LoadDocuments } from './endpoint.ts';
import { requireReadStatus, splitStatus, withFirstStatus, withReadStatus } from './status-fields.ts';

/** Describes an operation's result in wire format, and the permissions of its calls. */
interface Collection<Shown> {
  /** '/crud/companies' */
  path: string;
  /** The singular and plural noun, as summaries use them: ['company', 'companies']. */
  noun: readonly [one: string, many: string];
  read: PermissionKey | 'signed-in';
  /** Required for everything except reading. */
  write?: PermissionKey | 'signed-in';
  /** The document in wire format. */
  response: z.ZodType;
  toBody: (document: Shown) => object;
  /** The status that a new document has. Default: Active. */
  firstStatus?: string;
  /** Largest body in bytes of a create or an update, if the usual 1 MB is too small. */
  maxBodyBytes?: number;
}

interface Calls<
  Shown,
  Entity extends { id: string },
  Create extends z.ZodType,
  Update extends z.ZodType<{ version: number }>,
  Item extends z.ZodType<{ id: string; version: number }>,
  Many extends z.ZodType,
> {
  /** GET: filters, sorts, pages and groups by the fields of `listable`. */
  list?: {
    listable: Listable<Entity>;
    load: (session: ReadSession, query: unknown) => Promise<Page<Shown>>;
    /** Parameters in addition to those of every list, for `load` and `group`. */
    parameters?: z.ZodObject;
    /** Groups the documents; if omitted, by the fields of `listable`. */
    group?: (session: ReadSession, query: unknown) => Promise<Groups>;
    /** Extra fields for each body that its document does not have, in the order of the documents. */
    withMore?: (
      documents: readonly Shown[],
      context: RequestContext,
      session: ReadSession,
    ) => Promise<readonly object[]>;
    summary?: string;
  };
  /** GET /{id}; 404 for a document that does not exist or is not visible. */
  get?: (session: Session, id: string) => Promise<Shown>;
  /** POST of one document, or of a list of 1 to `most` (500). Creates all of them, or none. */
  create?: {
    body: Create;
    run: (session: Session, body: z.output<Create>) => Promise<Shown>;
    /** Creates a list, if that takes fewer statements than `run` for each. Its errors name the item. */
    runAll?: (session: Session, bodies: z.output<Create>[]) => Promise<Shown[]>;
    most?: number;
    summary?: string;
    /** A body that the OpenAPI document shows. */
    example?: unknown;
  };
  /** POST of a list of 1 to `most` (500) documents that are created together. Returns what was created. */
  createMany?: {
    item: Many;
    most?: number;
    run: (session: Session, items: z.output<Many>[]) => Promise<Shown[]>;
    summary?: string;
  };
  /** PUT /{id}. The body accepts the document as GET returns it. */
  update?: {
    body: Update;
    run: (session: Session, command: { id: string; body: z.output<Update> }) => Promise<Shown>;
    summary?: string;
  };
  /** DELETE /{id} */
  remove?: { run: (session: Session, id: string) => Promise<unknown>; summary?: string };
  /** PUT /bulk with `{ id, version, ...changed fields }`. */
  updateMany?: {
    item: Item;
    run: (session: Session, items: z.output<Item>[]) => Promise<Shown[]>;
    most?: number;
    /** The path, if it is not `/bulk`. */
    path?: string;
  };
  /** DELETE by repeated `ids`. */
  removeMany?: { run: (session: Session, ids: string[]) => Promise<unknown>; most?: number; collection?: string };
}

/** The address, the noun and the permissions of a collection's calls, as its descriptor says them. */
export function ofCollection(name: CollectionName): Pick<Collection<never>, 'path' | 'noun'> & {
  read: PermissionKey;
  write: PermissionKey;
} {
  const { one, many, read, write = read }: Described = COLLECTIONS[name];
  return { path: callsOf(name), noun: [inSentence(one), inSentence(many)], read, write };
}

const article = (noun: string): string => (/^[aeiou]/i.test(noun) ? 'an' : 'a');

/**
 * Builds the REST calls of a collection from the given operations: list, read, create, update and delete, single and
 * bulk. Validation, permissions, paging, groups, atomicity and the OpenAPI page are included.
 */
export function resource<
  Shown,
  Entity extends { id: string },
  Create extends z.ZodType,
  Update extends z.ZodType<{ version: number }>,
  Item extends z.ZodType<{ id: string; version: number }>,
  Many extends z.ZodType,
>(definition: Collection<Shown> & Calls<Shown, Entity, Create, Update, Item, Many>): Endpoint[] {
  const { path, noun, read, response, toBody, firstStatus = 'Active' } = definition;
  const { list, get, create, createMany, update, remove, updateMany, removeMany } = definition;
  const [one, many] = noun;
  const a = `${article(one)} ${one}`;
  const ofOne = `${path}/{id}`;
  const large = definition.maxBodyBytes === undefined ? {} : { maxBodyBytes: definition.maxBodyBytes };
  const write = definition.write ?? read;
  const endpoints: Endpoint[] = [];

  if (list) {
    endpoints.push(
      endpoint({
        method: 'GET',
        path,
        access: read,
        summary: list.summary ?? `List ${many}`,
        query: list.parameters ? listParamsSchema.extend(list.parameters.shape) : listParamsSchema,
        response: z.union([z.array(response), z.array(groupBodySchema)]),
        load: list.load as LoadDocuments,
        handle: ({ query, context, read: reading }) =>
          reading(async (session) => {
            if (query.groupBy) {
              if (list.group) {
                const found = await list.group(session, query);
                return { body: groupBodies(found), count: found.total };
              }
              const found = await groupDocuments(session, list.listable, query);
              return { body: groupBodies(found), count: found.total };
            }
            const { documents, total } = await list.load(session, query);
            const more = (await list.withMore?.(documents, context, session)) ?? [];
            return { body: documents.map((document, at) => ({ ...toBody(document), ...more[at] })), count: total };
          }),
      }),
    );
  }
  if (get) {
    endpoints.push(
      endpoint({
        method: 'GET',
        path: ofOne,
        access: read,
        summary: `Get ${a}`,
        params: idParamsSchema,
        response,
        handle: ({ params, db }) => db(async (session) => ({ body: toBody(await get(session, params.id)) })),
      }),
    );
  }
  if (create) {
    endpoints.push(
      endpoint({
        method: 'POST',
        path,
        access: write,
        summary: create.summary ?? `Create ${a}, or a list of ${many}`,
        body: oneOrMany(withFirstStatus(create.body, firstStatus), create.most),
        ...(create.example === undefined ? {} : { example: { body: create.example } }),
        ...large,
        response: z.union([response, z.array(response)]),
        handle: ({ body, db }) =>
          db(async (session) => {
            const run = (item: z.output<Create>) => create.run(session, item);
            const given = (item: unknown) => splitStatus(create.body, item as z.output<Create>).body;
            if (!Array.isArray(body)) return { body: toBody(await run(given(body))) };
            const bodies = body.map(given);
            const created = create.runAll ? create.runAll(session, bodies) : runInOrder(bodies, run);
            return { body: (await created).map(toBody) };
          }),
      }),
    );
  }
  if (createMany) {
    endpoints.push(
      endpoint({
        method: 'POST',
        path,
        access: write,
        summary: createMany.summary ?? `Create a list of ${many}`,
        body: itemsOf(createMany.item, createMany.most),
        maxBodyBytes: LARGE_BODY_BYTES,
        response: z.array(response),
        handle: ({ body, db }) => db(async (session) => ({ body: (await createMany.run(session, body)).map(toBody) })),
      }),
    );
  }
  if (update) {
    endpoints.push(
      endpoint({
        method: 'PUT',
        path: ofOne,
        access: write,
        summary: update.summary ?? `Update ${a}`,
        params: idParamsSchema,
        body: withReadStatus(update.body),
        ...large,
        response,
        handle: ({ params, body: given, db }) =>
          db(async (session) => {
            const { body, status } = splitStatus(update.body, given as z.output<Update>);
            const updated = toBody(await update.run(session, { id: params.id, body }));
            return { body: requireReadStatus(a, status, updated) };
          }),
      }),
    );
  }
  if (remove) {
    endpoints.push(
      endpoint({
        method: 'DELETE',
        path: ofOne,
        access: write,
        summary: remove.summary ?? `Delete ${a}`,
        params: idParamsSchema,
        response: removedSchema,
        handle: ({ params, db }) =>
          db(async (session) => {
            await remove.run(session, params.id);
            return { body: { ids: [params.id] } };
          }),
      }),
    );
  }
  if (updateMany) {
    const { path: suffix = '/bulk', ...rest } = updateMany;
    endpoints.push(
      bulkUpdate({ ...rest, path: `${path}${suffix}`, access: write, summary: `Update ${many}`, response, toBody }),
    );
  }
  if (removeMany) {
    endpoints.push(bulkRemove({ ...removeMany, path, access: write, summary: `Delete ${many}` }));
  }
  return endpoints;
}
