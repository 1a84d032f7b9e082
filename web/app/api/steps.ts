import type { Session } from '@tapeline/db/store.ts';
import type { z } from 'zod';
import { type Access, type Endpoint, endpoint, type Method, type Parsed } from './endpoint.ts';

/** What the steps of one kind of document have in common. */
interface Shared<Params extends z.ZodType, Shown> {
  /** The address of a document: '/crud/deliverables/{id}/items/{periodEnd}'. */
  path: string;
  access: Access;
  params: Params;
  /** The document in wire format. */
  response: z.ZodType;
  toBody: (document: Shown) => object;
}

interface Step<Params extends z.ZodType, Body extends z.ZodType | undefined, Shown> {
  method?: Method;
  /** The end of the address: 'accept'. */
  name: string;
  /** If it is not that of the other steps. */
  access?: Access;
  summary: string;
  body?: Body;
  /** A body that the OpenAPI document shows. */
  example?: unknown;
  run: (session: Session, params: Parsed<Params>, body: Parsed<Body>) => Promise<Shown>;
}

/**
 * Builds the calls that take a document a step further. Each runs one operation in one transaction, and returns the
 * document as it is afterwards.
 */
export const stepsOf =
  <Params extends z.ZodType, Shown>({ path, toBody, ...shared }: Shared<Params, Shown>) =>
  <Body extends z.ZodType | undefined = undefined>({
    name,
    method = 'POST',
    example,
    run,
    ...step
  }: Step<Params, Body, Shown>): Endpoint =>
    endpoint<Params, undefined, Body>({
      ...shared,
      ...step,
      method,
      path: `${path}/${name}`,
      ...(example === undefined ? {} : { example: { body: example } }),
      handle: ({ params, body, db }) => db(async (session) => ({ body: toBody(await run(session, params, body)) })),
    });
