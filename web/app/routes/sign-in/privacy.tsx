import { LegalPage } from './legal-page.tsx';

export const handle = { title: 'Privacy notice' };

const SECTIONS = [
  {
    title: 'Who is responsible',
    text: [
      'The manager who invited you decides what is stored in this installation of Tapeline, and is responsible for your personal data (the controller). Contact the manager with any question about it. The operator of the installation processes the data on the manager’s behalf.',
    ],
  },
  {
    title: 'What is stored about you',
    text: [
      'Your account: names, email address, recovery email address and phone number if you give them, role, permissions, and the borrower or investor that you act for.',
      'Your sign-ins: when you signed in, the network address and the browser or program that you used, and when you last used it. Sign-in codes and links are stored only in a form that cannot be read back.',
      'Your changes: Tapeline keeps a history of who changed which document, when, and from which network address and browser. Managers and their auditors need it to prove how a figure came about.',
      'Documents that concern you: for investors, commitments, capital calls, distributions and statements; for borrowers, facilities, draw requests, loan tapes and their files.',
    ],
  },
  {
    title: 'Personal data in loan tapes',
    text: [
      'A loan tape can contain data about the borrowers of individual loans, such as a loan or borrower number, a state, a credit score and the status of payments. Originators must leave out names, contact details and government identifiers, which Tapeline does not need.',
    ],
  },
  {
    title: 'Why it is used',
    text: [
      'To give you access and to keep others out, to fulfil the contracts between the manager and its investors and borrowers, to meet legal duties of record keeping, and to find and fix errors. It is not used for advertising, and it is not sold.',
    ],
  },
  {
    title: 'Who can see it',
    text: [
      'Users of the manager, within their permissions. Users of a borrower or an investor see only what concerns that borrower or investor. Managers never see each other’s data. The operator’s administrators can see all data in order to run the installation. Emails are sent through the operator’s mail provider.',
    ],
  },
  {
    title: 'How long it is kept',
    text: [
      'A sign-in ends 30 days after you last used it, or when you end it on your account page. Codes are deleted after a day, and links after 7 days. Your account, the documents and their history are kept as long as the manager is required to keep them, even after your account is removed.',
    ],
  },
  {
    title: 'Cookies',
    text: [
      'Tapeline sets only cookies that it needs: your sign-in, the protection of forms, the manager that you act for, and how you want pages displayed. There are no cookies of other parties, and no tracking.',
    ],
  },
  {
    title: 'Your rights',
    text: [
      'You can see and correct your details and end your sign-ins on your account page. Ask the manager for a copy of your data, for its deletion where no legal duty requires it to be kept, or to object to its use. You can also complain to the data protection authority of your country.',
    ],
  },
] as const;

export default function Privacy() {
  return (
    <LegalPage
      title="Privacy notice"
      lead="What Tapeline stores about you, why, and who can see it."
      sections={SECTIONS}
    />
  );
}
