import { ABSENT, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { announcementCreateSchema, notificationUpdateSchema } from './announcement.schema.ts';

const file = { key: 'announcements/agenda.pdf' };

testLimits('an announcement', announcementCreateSchema, EXAMPLES.announcement, [
  ['resource.kind', 'companies', 'users', /^must be one of all, funds/],
  ['resource', { kind: 'all' }, EXAMPLES.announcement.resource.id, 'must be an object'],
  [
    'resource',
    { kind: 'LPs' },
    { kind: 'all', id: EXAMPLES.announcement.resource.id },
    'An announcement to all has no id',
    'resource.id',
  ],
  ['title', 'x', ' ', 'is required'],
  ['title', text(250), text(251), 'At most 250 characters'],
  ['subTitle', text(250), text(251), 'At most 250 characters'],
  ['description', text(20_000), text(20_001), 'At most 20000 characters'],
  ['description', 'x', ABSENT, 'is required'],
  ['files', times(20, file), times(21, file), 'At most 20 files'],
  ['Class', text(100), text(101), 'At most 100 characters'],
  ['disableEmail', true, 'yes', 'must be true or false'],
]);

testLimits('a notification', notificationUpdateSchema, { isRead: true }, [['isRead', false, ABSENT, 'is required']]);
