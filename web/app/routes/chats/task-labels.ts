import type { ChatTask } from '@tapeline/domain/chats/chat.schema.ts';

export const TASK_LABELS: Readonly<Record<ChatTask, string>> = {
  assetTargetFilter: 'Assets',
  mongoFilter: 'Documents',
  weather: 'Weather',
  blank: 'Anything else',
};
