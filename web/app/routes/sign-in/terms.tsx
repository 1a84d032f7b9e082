import { LegalPage } from './legal-page.tsx';

export const handle = { title: 'Terms of use' };

const SECTIONS = [
  {
    title: 'Your account',
    text: [
      'Your account is personal. Do not share it, and do not forward sign-in codes or links. Keep the email address of your account under your control. If you believe that someone else has used your account, sign out everywhere on your account page and tell the manager at once.',
      'The manager decides what you can see and do, and can change or end your access at any time.',
    ],
  },
  {
    title: 'Confidentiality',
    text: [
      'What you see in Tapeline is confidential: terms of facilities, loan data, figures of funds, and the names of other parties. Use it only for the business between you and the manager. Keep exports and downloaded files as safe as the originals.',
    ],
  },
  {
    title: 'What you enter',
    text: [
      'Enter and upload only what is correct to the best of your knowledge and what you are allowed to share. Leave names, contact details and government identifiers of individual borrowers out of loan tapes. What you enter is recorded with your name and the time, and cannot be removed from the history.',
    ],
  },
  {
    title: 'Requests and approvals',
    text: [
      'A draw request, an approval, a capital call or a notice that you issue in Tapeline counts as made by the party that you act for. Do not make one unless you are authorized to.',
    ],
  },
  {
    title: 'Figures',
    text: [
      'Borrowing bases, returns and other figures are calculated from the data and the terms that the parties entered. Check them before you rely on them. The signed agreements prevail over anything shown in Tapeline. Nothing in Tapeline is investment, legal or tax advice, or an offer of securities.',
    ],
  },
  {
    title: 'Fair use',
    text: [
      'Do not try to see other parties’ data, to get around permissions or limits, or to disturb the service. Programs may use the API within its limits, with an account of their own. Report weaknesses that you find to the manager and do not exploit them.',
    ],
  },
  {
    title: 'Availability',
    text: [
      'The operator maintains and backs up the installation with care, and announces planned interruptions in advance where possible. Keep in mind the deadlines of your agreements, which an interruption does not extend.',
    ],
  },
  {
    title: 'Changes',
    text: [
      'The manager informs you before these terms change in substance. They do not change the agreements between you and the manager.',
    ],
  },
] as const;

export default function Terms() {
  return (
    <LegalPage
      title="Terms of use"
      lead="The rules for everyone who uses this installation of Tapeline."
      sections={SECTIONS}
    />
  );
}
