import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { LIST_LIMITS } from '@tapeline/domain/filters/list-query.schema.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import type { QuestionReading } from '@tapeline/domain/questions/read-question.ts';
import type { Subject } from '@tapeline/domain/questions/vocabulary.ts';
import { z } from 'zod';

/** An endpoint that speaks the protocol of OpenAI's chat completions. */
export interface ChatModel {
  /** The base address, for example https://api.example.com/v1. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
}

const LIMITS = { timeoutMs: 30_000, bytes: 200_000, text: 2_000, values: 60 } as const;

/** What a model answers. `filter` is JSON text, because its keys are the fields of the list. */
const answerSchema = z.object({
  kind: z.enum(['filter', 'question']),
  text: z.string().max(LIMITS.text),
  filter: z.string().max(LIMITS.bytes),
  sort: z.array(z.object({ path: z.string().max(500), direction: z.union([z.literal(1), z.literal(-1)]) })).max(1),
  limit: z.int().min(1).max(LIST_LIMITS.limit).nullable(),
});
const { $schema: _, ...ANSWER_SCHEMA } = z.toJSONSchema(answerSchema);

const chunkSchema = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }) })).max(16),
});

/**
 * The instructions for a model: the language and the fields. They never contain a row, a name or an amount of the
 * user's data, only the schema of the list.
 */
function instructionsFor(subject: Subject, today: CalendarDate): string {
  const fields = subject.catalog.fields
    .filter(({ path }) => !subject.fields[path]?.isHidden)
    .map(({ path, label, type, unit, values }) => {
      const codes = values && values.length <= LIMITS.values ? `, one of ${values.join(', ')}` : '';
      return `${path}: ${label} (${type}${unit ? `, ${unit}` : ''}${codes})`;
    });
  const offset = subject.catalog.cutOff
    ? ', and {"$cutOff": "-90d"} (d, m or y) is a date relative to the cut-off date'
    : '';
  return [
    `You translate questions about ${subject.nouns[0]} into filters. Today is ${today}.`,
    'A filter is a JSON object: {"path": {"gte": 5}}. Operators: eq neq lt lte gt gte in nin like exists. Groups: $and $or $nor take lists, $not takes one. Percentages are in points (5 is 5%). Dates are YYYY-MM-DD.',
    `In place of a value of eq neq lt lte gt gte, {"$field": "path"} is another field of the same type${offset}.`,
    'Answer kind "filter" with the filter as JSON text in "filter". If the question is ambiguous or a filter cannot express it, answer kind "question" and ask back in "text".',
    'Fields:',
    ...fields,
  ].join('\n');
}

/**
 * Asks a model. Its answer is data: the filter goes through the parser that reads every filter, and is refused if it
 * names a field or an operator that the list does not have. Null if the model does not answer usefully in time.
 * @param onText is called with what has arrived so far
 */
export async function askModel(
  model: ChatModel,
  question: { text: string; subject: Subject; today: CalendarDate },
  onText?: (text: string) => void,
): Promise<QuestionReading | null> {
  try {
    const response = await fetch(`${model.url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(LIMITS.timeoutMs),
      headers: { 'content-type': 'application/json', ...(model.key ? { authorization: `Bearer ${model.key}` } : {}) },
      body: JSON.stringify({
        model: model.model,
        stream: true,
        temperature: 0,
        messages: [
          { role: 'system', content: instructionsFor(question.subject, question.today) },
          { role: 'user', content: question.text },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'filter', strict: true, schema: ANSWER_SCHEMA } },
      }),
    });
    if (!response.ok || !response.body) return null;
    return readAnswer(await readStream(response.body, onText), question.subject);
  } catch {
    // The network, the deadline, or a stream that is not the protocol's: the built-in reader's answer is used.
    return null;
  }
}

/** The text of a stream of server-sent events. */
async function readStream(body: ReadableStream<Uint8Array>, onText?: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let [pending, text, bytes] = ['', '', 0];
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.bytes) throw new Error('The answer of the model is too long');
    const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const data = /^data: ?(.*?)\r?$/.exec(line)?.[1];
      if (data === undefined || data === '[DONE]') continue;
      text += chunkSchema.parse(JSON.parse(data)).choices[0]?.delta.content ?? '';
      onText?.(text);
    }
  }
  return text;
}

/** Converts a model's text to a reading; null if it is not a valid answer. */
function readAnswer(text: string, subject: Subject): QuestionReading | null {
  try {
    const answer = answerSchema.parse(JSON.parse(text));
    if (answer.kind === 'question') {
      return answer.text.trim() === '' ? null : { kind: 'asks', text: answer.text, choices: [], unknown: [] };
    }
    const filter = parseFilter(answer.filter, subject.catalog);
    const sort = answer.sort.map(({ path, direction }) => {
      const found = subject.catalog.resolve(path);
      if (!('field' in found)) throw new Error(`${path} is not a field`);
      return { path: found.field.path, direction };
    });
    return { kind: 'filter', filter, sort, limit: answer.limit, notes: [] };
  } catch (error) {
    if (isRefusal(error) || error instanceof Error) return null;
    throw error;
  }
}
