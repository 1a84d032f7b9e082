import { z } from 'zod';
import { documentSchema } from '../documents/document.schema.ts';
import { optionalTextSchema, textSchema } from '../documents/text.schema.ts';

export const CHAT_TASKS = ['blank', 'weather', 'mongoFilter', 'assetTargetFilter'] as const;
const MOST_MESSAGE = 4_000;

/** The body for starting a chat, with a first message if given. */
export const chatCreateSchema = z.object({
  title: optionalTextSchema(150),
  task: z.enum(CHAT_TASKS),
  text: textSchema(1, MOST_MESSAGE).optional(),
});
export const chatMessageSchema = z.object({ text: textSchema(1, MOST_MESSAGE) });

/** A chat as the API returns it. Only its user can see it. */
export const chatSchema = documentSchema
  .extend({
    title: z.string().nullable(),
    tasks: z.array(
      z.object({
        type: z.enum(CHAT_TASKS),
        messages: z.array(z.object({ from: z.enum(['user', 'assistant']), text: z.string(), at: z.string() })),
        filter: z.json().optional(),
        sentence: z.string().optional(),
        count: z.int().optional(),
      }),
    ),
  })
  .meta({ id: 'Chat' });
