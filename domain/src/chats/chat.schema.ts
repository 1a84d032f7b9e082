import { z } from 'zod';
import { documentSchema } from '../documents/document.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { optionalNameSchema, textSchema } from '../documents/text.schema.ts';

export const CHAT_TASK_LABELS = {
  blank: 'Anything else',
  weather: 'Weather',
  mongoFilter: 'Documents',
  assetTargetFilter: 'Assets',
} as const;
export const CHAT_TASKS = valuesOf(CHAT_TASK_LABELS);
export type ChatTask = (typeof CHAT_TASKS)[number];
export const CHAT_LIMITS = { title: 150, message: 4_000, messages: 200 } as const;

/** The body for starting a chat, with a first message if given. */
export const chatCreateSchema = z.object({
  title: optionalNameSchema(CHAT_LIMITS.title),
  task: z.enum(CHAT_TASKS),
  text: textSchema(1, CHAT_LIMITS.message).optional(),
});
export type ChatCreate = z.infer<typeof chatCreateSchema>;
export const chatMessageSchema = z.object({ text: textSchema(1, CHAT_LIMITS.message) });

const choiceSchema = z.object({ label: z.string(), question: z.string() });

/** One task of a chat: its messages, and the filter that the last answer found. */
const chatTaskSchema = z.object({
  type: z.enum(CHAT_TASKS),
  messages: z.array(
    z.object({
      from: z.enum(['user', 'assistant']),
      text: z.string(),
      at: z.string(),
      choices: z.array(choiceSchema).optional().meta({ description: 'Questions without the doubt, to choose from' }),
    }),
  ),
  filter: z.json().optional().meta({ description: 'In the filter language' }),
  sentence: z.string().optional(),
  count: z.int().optional().meta({ description: 'The rows that the user can see and that match, when it was asked' }),
  list: z.string().optional().meta({ description: 'The list that the filter is for', example: 'transactions' }),
  sort: z.record(z.string(), z.union([z.literal(1), z.literal(-1)])).optional(),
  limit: z.int().optional().meta({ description: 'The number of rows, where the question names one' }),
  figures: z
    .array(
      z.object({
        label: z.string(),
        of: z.string().meta({ description: 'The fund, investor or facility' }),
        value: z.string().nullable().meta({ description: 'An exact number or a date; null if it is not known' }),
        unit: z.string().optional().meta({ description: 'The currency of an amount, % or x', example: 'USD' }),
        date: z.string().meta({ description: 'The day of the figure', example: '2026-10-31' }),
      }),
    )
    .optional()
    .meta({ description: 'The figures that the last question asked for' }),
  links: z
    .array(z.object({ title: z.string(), path: z.string(), count: z.int().optional() }))
    .optional()
    .meta({ description: 'Screens that show the matching rows' }),
});
export type ChatTaskRecord = z.infer<typeof chatTaskSchema>;

/** A chat as the API returns it. Only its user can see it. */
export const chatSchema = documentSchema
  .extend({ title: z.string().nullable(), tasks: z.array(chatTaskSchema) })
  .meta({ id: 'Chat' });
