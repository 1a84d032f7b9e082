import { CHAT_LIMITS, type ChatCreate, type ChatTaskRecord } from '@tapeline/domain/chats/chat.schema.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { Chat } from '../../entities/chats.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { defineListable } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';

export const CHATS = defineListable(Chat, 'chats', [
  ['title', 'Title', 'text', 't.title'],
  ['tasks.type', 'Task', 'text', `t.tasks #>> '{0,type}'`],
]);

/** What an answer adds to a chat: the message, and the filter that it found, if any. */
export type ChatAnswer = Omit<ChatTaskRecord, 'type' | 'messages'> &
  Pick<ChatTaskRecord['messages'][number], 'text' | 'choices'>;

/** The user who chats. @throws Refusal forbidden for the program itself */
export function userOf({ actor }: Pick<Session, 'actor'>): { userId: string; managerId: string | null } {
  if (actor.kind !== 'user') throw new Refusal('forbidden', 'Only a signed-in user has chats and saved filters');
  return { userId: actor.userId, managerId: actor.managerId };
}

/** A page of the user's own chats, newest first. */
export const listChats = (session: ReadSession, query: unknown = {}): Promise<Page<Chat>> =>
  listDocuments(session, CHATS, query);

/** @throws Refusal notFound, also for the chat of another user */
export const getChat = (session: Session, id: string): Promise<Chat> => getDocument(session, CHATS, id);

const exchange = (text: string, { text: answer, choices }: ChatAnswer, at: string): ChatTaskRecord['messages'] => [
  { from: 'user', text, at },
  { from: 'assistant', text: answer, at, ...(choices && choices.length > 0 ? { choices } : {}) },
];

/** What the answer found replaces what an earlier one found; an answer that asks back keeps it. */
function found({ text: _, choices: __, ...rest }: ChatAnswer): Partial<ChatTaskRecord> {
  return rest;
}

/** Starts a chat. @param answer the answer to the body's text, if it has one */
export async function createChat(session: Session, body: ChatCreate, answer: ChatAnswer | null): Promise<Chat> {
  const at = session.now.toISOString();
  const messages = body.text && answer ? exchange(body.text, answer, at) : [];
  const chat = session.em.create(Chat, {
    id: newId(session.now),
    ...userOf(session),
    title: body.title || body.text?.slice(0, CHAT_LIMITS.title) || null,
    tasks: [{ type: body.task, messages, ...(answer ? found(answer) : {}) }],
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return chat;
}

/**
 * Adds a message and its answer.
 * @throws Refusal notFound; badRequest if the chat is full; as for a stale version if another message came between
 */
export async function addMessage(session: Session, id: string, text: string, answer: ChatAnswer): Promise<Chat> {
  const chat = await getChat(session, id);
  const [task] = chat.tasks;
  if (!task) throw new Error(`The chat ${id} has no task`);
  refuseFull(chat);
  const messages = [...task.messages, ...exchange(text, answer, session.now.toISOString())];
  const { filter, sentence, count, list, sort, limit, links, figures } = task;
  const before = { filter, sentence, count, list, sort, limit, links, figures };
  const kept = answer.filter === undefined && answer.figures === undefined ? before : { list };
  chat.tasks = [{ type: task.type, messages, ...present(kept), ...found(answer) }];
  chat.title ??= text.slice(0, CHAT_LIMITS.title);
  chat.metadata = changedMetadata(session, chat.metadata);
  await session.em.flush();
  return chat;
}

const present = (part: Partial<ChatTaskRecord>): Partial<ChatTaskRecord> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** @throws Refusal badRequest if no message fits into the chat any more */
export function refuseFull(chat: Chat): void {
  if ((chat.tasks[0]?.messages.length ?? 0) + 2 <= CHAT_LIMITS.messages) return;
  const message = `A chat has at most ${CHAT_LIMITS.messages} messages. Start a new one.`;
  throw new Refusal('badRequest', message, { flags: { text: message } });
}

/** Deletes the user's own chats for good. @throws Refusal notFound if one is not the user's */
export async function removeChats(session: Session, ids: readonly string[]): Promise<string[]> {
  const unique = [...new Set(ids)].filter(isId);
  const removed = await session.em.nativeDelete(Chat, { id: { $in: unique } });
  if (removed < unique.length || unique.length === 0) throw new Refusal('notFound');
  return unique;
}
