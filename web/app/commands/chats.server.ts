import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { Chat } from '@tapeline/db/entities/chats.ts';
import { addMessage, createChat, getChat, refuseFull } from '@tapeline/db/operations/chats/chats.ts';
import type { ChatCreate } from '@tapeline/domain/chats/chat.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { RequestContext } from '../http/context.ts';
import { answerQuestion } from './chat-questions.server.ts';

/** Starts a chat, and answers its first message if it has one. */
export async function startChat(
  context: RequestContext,
  actor: UserActor,
  body: ChatCreate,
  origin: CallOrigin,
): Promise<Chat> {
  const answer = body.text ? await answerQuestion(context, actor, { task: body.task, text: body.text }) : null;
  return context.store.as(actor, (session) => createChat(session, body, answer), origin);
}

/** Answers a message of a chat. @throws Refusal notFound; badRequest if the chat is full */
export async function continueChat(
  context: RequestContext,
  actor: UserActor,
  { id, text }: { id: string; text: string },
  origin: CallOrigin,
  onText?: (text: string) => void,
): Promise<Chat> {
  const task = await context.store.as(actor, async (session) => {
    const chat = await getChat(session, id);
    refuseFull(chat);
    return chat.tasks[0];
  });
  // A model can take half a minute, in which no transaction is open.
  const answer = await answerQuestion(context, actor, { task: task?.type ?? 'blank', text, before: task }, onText);
  return context.store.as(actor, (session) => addMessage(session, id, text, answer), origin);
}
