import type { z } from 'zod';

const shapes = new WeakMap<object, z.ZodType>();

/**
 * Says what a schema accepts, where its parser takes less typed input so that its errors name the right field. OpenAPI
 * and the check for unknown fields read it.
 * @param shape with an id (`.meta({ id })`), which names it in OpenAPI
 */
export function describeAccepted(schema: z.ZodType, shape: z.ZodType): void {
  shapes.set(schema, shape);
}

/** What the schema accepts, if `describeAccepted` said so. */
export const acceptedShape = (schema: object): z.ZodType | undefined => shapes.get(schema);
