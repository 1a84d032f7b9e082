import { GENERAL_STATUSES } from '@tapeline/domain/documents/document.schema.ts';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import { z } from 'zod';

/** A body of fields without a status of its own; null for any other. */
const withoutStatus = (schema: z.ZodType): z.ZodObject | null =>
  schema instanceof z.ZodObject && !('status' in schema.shape) ? schema : null;

/** `splitStatus` takes the status off again, so the type of the body stays as it is. */
function withStatus<Body extends z.ZodType>(body: Body, status: z.ZodType<string>): Body {
  const fields: z.ZodType | undefined = withoutStatus(body)?.safeExtend({ status: status.optional() });
  return (fields as Body | undefined) ?? body;
}

/** A body with the status that its documents start with, if it has none: another one is refused. */
export const withFirstStatus = <Body extends z.ZodType>(body: Body, first: string): Body =>
  withStatus(body, z.literal(first));

/** A body with the status of the document as it was read, if its update does not change it. */
export const withReadStatus = <Body extends z.ZodType>(body: Body): Body => withStatus(body, z.enum(GENERAL_STATUSES));

/** The body without what `withFirstStatus` or `withReadStatus` added, and the status that it names. */
export function splitStatus<Body>(schema: z.ZodType, body: Body): { body: Body; status: string | undefined } {
  if (!withoutStatus(schema)) return { body, status: undefined };
  const { status, ...rest } = body as Body & { status?: string };
  return { body: rest as Body, status };
}

/** @throws Refusal badRequest if the update named a status that the document does not have */
export function requireReadStatus<Shown extends object>(
  noun: string,
  status: string | undefined,
  document: Shown,
): Shown {
  const stored = 'status' in document ? document.status : undefined;
  if (status !== undefined && typeof stored === 'string' && status !== stored) {
    throw impossibleTransition(noun, stored, status);
  }
  return document;
}
