/** The two addresses of an account that open it. */
export const ADDRESS_KINDS = ['email', 'recoveryEmail'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** How long a new address can be confirmed, and how long a change can be stopped after it took effect. */
export const ADDRESS_CHANGE = { confirmDays: 7, stopHours: 72 } as const;

/** What an email about an address says. It has no link: links are secrets, and are made when the email is sent. */
export interface AddressLetter {
  /**
   * `confirm` asks the new address, `requested` and `changed` tell the old one about the email of the account, and
   * `recoveryChanged` tells the email of the account, and a recovery email that another one replaces.
   */
  readonly kind: 'confirm' | 'requested' | 'changed' | 'recoveryChanged';
  readonly change: string;
  readonly to: string;
  readonly firstName: string;
  /** The name of the person who made the change. */
  readonly by: string;
  /** The addresses before and after the change; null for none. */
  readonly from: string | null;
  readonly next: string | null;
}

const UNWANTED = 'If you did not expect this, stop the change here. Your old address then works again:';

/** @param links the pages that confirm and stop the change */
export function addressMail(
  letter: AddressLetter,
  links: { confirm: string; stop: string },
): { to: string; subject: string; text: string } {
  const { to, firstName, by, from, next } = letter;
  const mail = (subject: string, lines: readonly string[]) => ({
    to,
    subject,
    text: [`Hello ${firstName},`, '', ...lines, ''].join('\n'),
  });
  switch (letter.kind) {
    case 'confirm':
      return mail('Confirm your new email', [
        `${by} asked to make ${next} the email of your Tapeline account, instead of ${from}. Confirm it here:`,
        '',
        links.confirm,
        '',
        `The link is valid for ${ADDRESS_CHANGE.confirmDays} days. Until you confirm, ${from} stays the email of the account.`,
        'If you did not expect this email, ignore it.',
      ]);
    case 'requested':
      return mail('Your email is about to change', [
        `${by} asked to change the email of your Tapeline account from ${from} to ${next}. It changes once ${next} is confirmed.`,
        '',
        'If you did not expect this, stop the change here:',
        '',
        links.stop,
      ]);
    case 'changed':
      return mail('Your email has changed', [
        `The email of your Tapeline account is now ${next}. ${by} asked for the change. ${from} no longer signs in.`,
        '',
        `${UNWANTED}`,
        '',
        links.stop,
        '',
        `The link is valid for ${ADDRESS_CHANGE.stopHours} hours.`,
      ]);
    case 'recoveryChanged':
      return mail('Your recovery email has changed', [
        next === null
          ? `${by} removed the recovery email ${from} of your Tapeline account.`
          : `${next} is now the recovery email of your Tapeline account${from ? `, instead of ${from}` : ''}. Codes sent to it can sign in. ${by} made the change.`,
        '',
        'If you did not expect this, stop the change here. It also signs you out everywhere:',
        '',
        links.stop,
        '',
        `The link is valid for ${ADDRESS_CHANGE.stopHours} hours.`,
      ]);
  }
}
