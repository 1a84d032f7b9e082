import { NOTIFICATION_KINDS } from '../communication/notification-settings.schema.ts';
import { formatCount } from '../money/format-figure.ts';
import { MAIL_KINDS, type MailKind, type MailSection } from './mail.ts';

/** One message of a digest. */
export interface DigestItem {
  readonly kind: MailKind;
  readonly subject: string;
  readonly page: string;
}

/** One email with several messages to one person, by kind; each once, also if it is about several investors. */
export function digestMail(items: readonly DigestItem[]): {
  readonly subject: string;
  readonly text: string;
  readonly page: string;
  readonly pageTitle: string;
  readonly sections: readonly MailSection[];
} {
  const distinct = [...new Map(items.map((item) => [`${item.kind} ${item.page} ${item.subject}`, item])).values()];
  const updates = formatCount(distinct.length, 'update');
  return {
    subject: `Daily digest: ${updates}`,
    text: `You have ${updates} since your last digest. You can change when you are told on the page of your account.`,
    page: '/notifications',
    pageTitle: 'Open your notifications',
    sections: MAIL_KINDS.flatMap((kind) => {
      const some = distinct.filter((item) => item.kind === kind);
      return some.length === 0
        ? []
        : [
            {
              title: NOTIFICATION_KINDS[kind].label,
              items: some.map(({ subject, page }) => ({ title: subject, page })),
            },
          ];
    }),
  };
}
