import { GENERAL_STATUSES } from '@tapeline/domain/documents/document.schema.ts';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import { z } from 'zod';

const hasStatus = (schema: z.ZodType): boolean => !(schema instanceof z.ZodObject) || 'status' in schema.shape;

/** A body with the status that its documents start with, if it has none: another one is refused. */
export const withFirstStatus = <Body extends z.ZodType>(body: Body, first: string): Body =>
  (hasStatus(body)
    ? body
    : (body as unknown as z.ZodObject).safeExtend({ status: z.literal(first).optional() })) as Body;

/** A body with the status of the document as it was read, if its update does not change it. */
export const withReadStatus = <Body extends z.ZodType>(body: Body): Body =>
  (hasStatus(body)
    ? body
    : (body as unknown as z.ZodObject).safeExtend({ status: z.enum(GENERAL_STATUSES).optional() })) as Body;

/** The body without what `withFirstStatus` or `withReadStatus` added, and the status that it names. */
export function splitStatus<Body>(schema: z.ZodType, body: Body): { body: Body; status: string | undefined } {
  if (hasStatus(schema)) return { body, status: undefined };
  const { status, ...rest } = body as Body & { status?: string };
  return { body: rest as Body, status };
}

/** @throws Refusal badRequest if the update named a status that the document does not have */
export function requireReadStatus<Shown extends object>(
  noun: string,
  status: string | undefined,
  document: Shown,
): Shown {
  const { status: stored } = document as { status?: string };
  if (status !== undefined && stored !== undefined && status !== stored) {
    throw impossibleTransition(noun, stored, status);
  }
  return document;
}
