import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { readNotificationSettings, saveNotificationSettings } from '@tapeline/db/operations/notifications/settings.ts';
import {
  channelsOf,
  DIGEST_HOURS,
  isRequiredKind,
  kindsOf,
  NOTIFICATION_CHANNEL_LABELS,
  NOTIFICATION_KINDS,
  notificationSettingsSchema,
} from '@tapeline/domain/communication/notification-settings.schema.ts';
import { USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { act, type Intent, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = named(() => [['Account', paths.account()], 'Notifications']);

export const loader = readScreen(null, async ({ actor, db, url }) => ({
  type: actor.type,
  settings: await db(readNotificationSettings),
  isSaved: url.searchParams.get('saved') === 'yes',
}));

/** Each type of user has kinds of its own, and so a form of its own. */
const intents: Readonly<Record<string, Intent>> = Object.fromEntries(
  USER_TYPES.map((type) => [
    type,
    intent({
      permission: null,
      schema: notificationSettingsSchema(type),
      async run(settings, { db }) {
        await db((session) => saveNotificationSettings(session, settings));
        return redirect(paths.notificationSettings({ saved: 'yes' }));
      },
    }),
  ]),
);

export const action = act(intents);

export default function NotificationSettings() {
  const { type, settings, isSaved } = useLoaderData<typeof loader>();
  const kinds = kindsOf(type);
  const required = kinds.filter(isRequiredKind);
  return (
    <>
      <PageHeader title="Notifications" facts={['How you are told of each kind of message']} />
      {isSaved ? <Notice tone="good">Your settings are saved.</Notice> : null}
      <PanelSection title="How you are told" padded className="max-w-3xl">
        <IntentForm
          intent={type}
          id="notification-settings"
          values={{ channels: settings.channels, digestHour: String(settings.digestHour) }}
          className="grid gap-4 sm:grid-cols-2"
          lines={[
            ...kinds
              .filter((kind) => !isRequiredKind(kind))
              .map((kind) => ({
                name: `channels.${kind}`,
                label: NOTIFICATION_KINDS[kind].label,
                choices: channelsOf(kind).map((value) => ({ value, label: NOTIFICATION_CHANNEL_LABELS[value] })),
              })),
            {
              name: 'digestHour',
              label: 'Hour of the daily digest',
              hint: 'One email a day with everything that you set to daily digest',
              choices: DIGEST_HOURS,
            },
          ]}
          submit="Save"
          submitting="Saving"
        />
      </PanelSection>
      <PanelSection title="Always by email at once" padded className="max-w-3xl">
        <Facts
          items={[
            ...required.map((kind) => ({ label: NOTIFICATION_KINDS[kind].label, value: 'Email at once' })),
            { label: 'Sign-in and address changes', value: 'Email at once' },
          ]}
        />
      </PanelSection>
    </>
  );
}
