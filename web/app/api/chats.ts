import type { Chat } from '@tapeline/db/entities/chats.ts';
import { CHATS, getChat, listChats, removeChats } from '@tapeline/db/operations/chats/chats.ts';
import { chatCreateSchema, chatMessageSchema, chatSchema } from '@tapeline/domain/chats/chat.schema.ts';
import { continueChat, startChat } from '../commands/chats.server.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { resource } from './resource.ts';

const toBody = (chat: Chat) => ({ ...baseOf(chat), title: chat.title, tasks: chat.tasks });

export const chatEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/chats',
    noun: ['chat', 'chats'],
    read: 'signed-in',
    response: chatSchema,
    toBody,
    list: { listable: CHATS, load: listChats, summary: "List the caller's chats" },
    get: getChat,
    removeMany: { run: removeChats },
  }),
  endpoint({
    method: 'POST',
    path: '/crud/chats',
    access: 'signed-in',
    summary: 'Start a chat',
    body: chatCreateSchema,
    response: chatSchema,
    handle: async ({ body, context, actor, origin }) => ({
      body: toBody(await startChat(context, actor, body, origin)),
    }),
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/chats/{id}/message',
    access: 'signed-in',
    summary: 'Send a message in a chat',
    params: idParamsSchema,
    body: chatMessageSchema,
    response: chatSchema,
    handle: async ({ params, body, context, actor, origin }) => ({
      body: toBody(await continueChat(context, actor, { id: params.id, text: body.text }, origin)),
    }),
  }),
];
