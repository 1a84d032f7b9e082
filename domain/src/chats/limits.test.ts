import { ABSENT, testLimits, text } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { chatCreateSchema, chatMessageSchema } from './chat.schema.ts';

testLimits('a chat', chatCreateSchema, EXAMPLES.chat, [
  ['title', text(150), text(151), 'At most 150 characters'],
  ['title', ABSENT, 7, 'must be text'],
  ['task', 'assetTargetFilter', 'poem', /^must be one of blank, weather/],
  ['text', text(4000), text(4001), 'At most 4000 characters'],
  ['text', ABSENT, '', 'is required'],
]);

testLimits('a message', chatMessageSchema, { text: 'and in Texas?' }, [
  ['text', 'x', ABSENT, 'is required'],
  ['text', text(4000), text(4001), 'At most 4000 characters'],
]);
