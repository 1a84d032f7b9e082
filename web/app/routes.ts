import { index, layout, prefix, type RouteConfig, route } from '@remix-run/route-config';
import { SHELL_ROUTE } from './components/shell/shell-data.ts';

/** The screens of a collection, in a folder: its list, a document (`page`), and the form of a new and of a stored one. */
const screensOf = (folder: string, page: string, form = `routes/${folder}/${page}-form.tsx`) =>
  prefix(folder.slice(folder.lastIndexOf('/') + 1), [
    index(`routes/${folder}/list.tsx`),
    route('new', form, { id: `new-${page}` }),
    route(':id', `routes/${folder}/${page}.tsx`),
    route(':id/edit', form, { id: `edit-${page}` }),
  ]);

/** The form of companies, managers and investors. */
const PARTY_FORM = 'routes/organizations/party-form.tsx';

const DELIVERABLE_FORM = 'routes/monitoring/deliverables/form/form.tsx';
const COVENANT_FORM = 'routes/monitoring/covenants/form/form.tsx';

const monitoring = [
  route('duplicates', 'routes/monitoring/duplicates/list.tsx', [route(':id', 'routes/monitoring/duplicates/pair.tsx')]),
  index('routes/monitoring/overview/overview.tsx'),
  ...prefix('tapes', [
    index('routes/monitoring/tapes/list.tsx'),
    route('new', 'routes/monitoring/tapes/new/new.tsx'),
    route(':id', 'routes/monitoring/tapes/tape/tape.tsx'),
    route(':id/correct', 'routes/monitoring/tapes/correct/correct.tsx'),
    route(':id/remap', 'routes/monitoring/tapes/remap/remap.tsx'),
    route(':id/correct-file', 'routes/monitoring/tapes/correct-file/correct-file.tsx'),
    route(':id/departures', 'routes/monitoring/tapes/departures/departures.tsx'),
    route(':id/proposals/:proposal', 'routes/monitoring/tapes/proposal/proposal.tsx'),
  ]),
  ...prefix('mappings', [
    index('routes/monitoring/mappings/list.tsx'),
    route('new', 'routes/monitoring/mappings/new/new.tsx'),
    route(':id', 'routes/monitoring/mappings/mapping.tsx'),
  ]),
  ...prefix('transactions', [
    index('routes/monitoring/transactions/list/list.tsx'),
    route('new', 'routes/monitoring/transactions/new.tsx'),
    route(':id', 'routes/monitoring/transactions/transaction/transaction.tsx'),
    route(':id/edit', 'routes/monitoring/transactions/edit.tsx'),
    route(':id/notes/new', 'routes/monitoring/transactions/notes/new.tsx'),
    route(':id/notes/:note/edit', 'routes/monitoring/transactions/notes/edit.tsx'),
    route(':id/notes/:note/terms', 'routes/monitoring/transactions/notes/terms.tsx'),
    route(':id/notes/:note/forecast', 'routes/monitoring/transactions/forecast/forecast.tsx'),
    route(':id/notes/:note/amend', 'routes/monitoring/amendments/new.tsx'),
    route(':id/notes/:note/remove', 'routes/monitoring/transactions/notes/remove.tsx'),
    route(':id/notes/:note/tranches/new', 'routes/monitoring/transactions/tranches/new.tsx'),
    route(':id/notes/:note/tranches/:sequence/edit', 'routes/monitoring/transactions/tranches/edit.tsx'),
    route(':id/notes/:note/tranches/:sequence/activate', 'routes/monitoring/transactions/tranches/activate.tsx'),
    route(':id/notes/:note/tranches/:sequence/remove', 'routes/monitoring/transactions/tranches/remove.tsx'),
  ]),
  ...prefix('contracts', [
    index('routes/monitoring/contracts/list.tsx'),
    route(':id', 'routes/monitoring/contracts/contract/contract.tsx'),
  ]),
  ...screensOf('monitoring/companies', 'company', PARTY_FORM),
  route('companies/:id/account', 'routes/monitoring/companies/account.tsx'),
  ...prefix('covenants', [
    route('new', COVENANT_FORM, { id: 'new-covenant' }),
    route(':id/edit', COVENANT_FORM, { id: 'edit-covenant' }),
    route(':id/waive', 'routes/monitoring/covenants/waive.tsx'),
    route(':id/cure', 'routes/monitoring/covenants/cure.tsx'),
  ]),
  route('covenants', 'routes/monitoring/covenants/list.tsx', [
    route(':id', 'routes/monitoring/covenants/covenant/covenant.tsx'),
  ]),
  route('facility-figures/paste', 'routes/monitoring/facility-figures/paste.tsx'),
  ...screensOf('monitoring/facility-figures', 'figure'),
  ...prefix('deliverables', [
    route('new', DELIVERABLE_FORM, { id: 'new-deliverable' }),
    route(':id/edit', DELIVERABLE_FORM, { id: 'edit-deliverable' }),
    route(':id/send', 'routes/monitoring/deliverables/steps/send.tsx'),
    route(':id/remind', 'routes/monitoring/deliverables/steps/remind.tsx'),
    ...['return', 'waive', 'withdraw'].map((step) =>
      route(`:id/${step}`, 'routes/monitoring/deliverables/steps/reason.tsx', { id: `${step}-deliverable` }),
    ),
  ]),
  route('deliverables', 'routes/monitoring/deliverables/list.tsx', [
    route(':id', 'routes/monitoring/deliverables/deliverable/deliverable.tsx'),
  ]),
  ...prefix('repayments', [
    index('routes/monitoring/repayments/list.tsx'),
    route('new', 'routes/monitoring/repayments/new.tsx'),
    route(':id', 'routes/monitoring/repayments/repayment.tsx'),
  ]),
  route('amendments/:id', 'routes/monitoring/amendments/amendment.tsx'),
  ...prefix('invoices', [
    route('new', 'routes/monitoring/invoices/new.tsx', { id: 'new-invoice' }),
    route(':id', 'routes/monitoring/invoices/invoice.tsx'),
  ]),
  ...prefix('draws', [
    index('routes/monitoring/draws/list.tsx'),
    route('new', 'routes/monitoring/draws/new.tsx'),
    route(':id', 'routes/monitoring/draws/draw/draw.tsx'),
    route(':id/edit', 'routes/monitoring/draws/edit.tsx'),
  ]),
  ...prefix('borrowing-bases', [
    index('routes/monitoring/borrowing-bases/list/list.tsx'),
    route(':id', 'routes/monitoring/borrowing-bases/certificate/certificate.tsx'),
    route(':id/adjustments/new', 'routes/monitoring/borrowing-bases/certificate/new-adjustment.tsx'),
    route(':id/comparison', 'routes/monitoring/borrowing-bases/comparison/comparison.tsx'),
    route(':id/certification', 'routes/monitoring/borrowing-bases/certification/certification.tsx'),
    route(':id/certification/figures', 'routes/monitoring/borrowing-bases/certification/own-figures.tsx'),
    route(':id/what-if', 'routes/monitoring/scenarios/what-if.tsx'),
  ]),
  ...prefix('scenarios', [
    route('new', 'routes/monitoring/scenarios/change-form.tsx', { id: 'new-scenario' }),
    route(':id', 'routes/monitoring/scenarios/scenario.tsx'),
    route(':id/change', 'routes/monitoring/scenarios/change-form.tsx', { id: 'change-scenario' }),
  ]),
];

const people = [
  ...prefix('users', [
    index('routes/admin/users/list.tsx'),
    route('new', 'routes/admin/users/new.tsx'),
    route('several', 'routes/admin/users/several.tsx'),
    route(':id', 'routes/admin/users/user.tsx'),
    route(':id/edit', 'routes/admin/users/edit.tsx'),
    route(':id/access', 'routes/admin/users/access/access.tsx'),
    route(':id/access/edit', 'routes/admin/users/access/edit-access.tsx'),
  ]),
  ...prefix('roles', [
    index('routes/admin/roles/list.tsx'),
    route('new', 'routes/admin/roles/new.tsx'),
    route(':id', 'routes/admin/roles/role.tsx'),
  ]),
  ...prefix('currencies', [
    index('routes/admin/currencies/list.tsx'),
    route(':code', 'routes/admin/currencies/currency.tsx'),
  ]),
  route('jobs', 'routes/admin/jobs/list.tsx'),
  route('held', 'routes/admin/held/list.tsx'),
  ...prefix('permissions', [
    index('routes/admin/permissions/list.tsx'),
    route('new', 'routes/admin/permissions/permission.tsx', { id: 'new-permission' }),
    route(':id', 'routes/admin/permissions/permission.tsx', { id: 'edit-permission' }),
  ]),
];

const investors = [
  index('routes/investors/list.tsx'),
  route('new', PARTY_FORM, { id: 'new-investor' }),
  route('groups/:id', 'routes/investors/group.tsx'),
  route(':id', 'routes/investors/investor.tsx'),
  route(':id/edit', PARTY_FORM, { id: 'edit-investor' }),
  route(':id/record', 'routes/investors/record.tsx'),
  route(':id/account', 'routes/investors/account.tsx'),
];

const funds = [
  ...prefix('funds', [
    index('routes/funds/list/list.tsx'),
    route('new', 'routes/funds/fund-form.tsx', { id: 'new-fund' }),
    route(':id', 'routes/funds/fund/fund.tsx'),
    route(':id/edit', 'routes/funds/fund-form.tsx', { id: 'edit-fund' }),
    route(':id/fee-terms', 'routes/funds/fee-terms/fund-terms.tsx'),
    route(':id/reminders', 'routes/funds/reminders.tsx'),
    route(':id/closings/new', 'routes/funds/closings/new.tsx'),
    route(':id/closings/:closing', 'routes/funds/closings/closing.tsx'),
    route(':id/commitments/new', 'routes/funds/commitments/new.tsx'),
    route(':id/commitments/:commitment', 'routes/funds/commitments/commitment.tsx'),
    route(':id/commitments/:commitment/edit', 'routes/funds/commitments/edit.tsx'),
    route(':id/commitments/:commitment/transfer', 'routes/funds/commitments/transfer.tsx'),
    route(':id/commitments/:commitment/side-letter', 'routes/funds/commitments/side-letter.tsx'),
    route(':id/commitments/:commitment/remove', 'routes/funds/commitments/remove.tsx'),
  ]),
  ...screensOf('main-funds', 'main-fund'),
];

/** The forms of calls and of distributions. */
const CAPITAL_ENTRY = 'routes/capital/entry.tsx';
const CAPITAL_PREVIEW = 'routes/capital/preview.ts';

const capital = [
  ...screensOf('capital/calls', 'call', CAPITAL_ENTRY),
  ...screensOf('capital/distributions', 'distribution', CAPITAL_ENTRY),
  route('statements/new', 'routes/capital/documents/new-statements.tsx'),
  route('reports/new', 'routes/capital/documents/new-report.tsx'),
  route('navs/new', 'routes/capital/navs/new.tsx'),
  route('navs/edit', 'routes/capital/navs/edit.tsx'),
  route('write-offs/new', 'routes/capital/write-offs/new.tsx'),
  route('write-offs/edit', 'routes/capital/write-offs/edit.tsx'),
];

const organizations = [
  ...screensOf('admin/managers', 'manager', PARTY_FORM),
  ...screensOf('admin/entities', 'entity'),
  ...screensOf('admin/service-providers', 'service-provider'),
];

/** Screens that require a signed-in user. Each is rendered inside the shell. */
export const SIGNED_IN_SCREENS = [
  index('routes/home/home.tsx'),
  route('account', 'routes/account/account.tsx'),
  route('account/notifications', 'routes/account/notifications.tsx'),
  route('account/acting-for', 'routes/account/acting-for.tsx'),
  route('design', 'routes/shell/design.tsx'),
  route('approvals', 'routes/approvals/list.tsx', [
    index('routes/approvals/panel.tsx', { id: 'first-approval' }),
    route(':kind/:id', 'routes/approvals/panel.tsx', { id: 'approval' }),
  ]),
  route('calendar', 'routes/calendar/calendar.tsx'),
  route('search', 'routes/search/search.tsx'),
  ...prefix('monitoring', monitoring),
  route('history', 'routes/history/history.tsx', [route(':change', 'routes/history/change.tsx')]),
  route('history/documents/:resource/:id', 'routes/history/document.tsx'),
  route('notifications', 'routes/notifications/list.tsx'),
  ...prefix('documents', [
    index('routes/documents/list.tsx'),
    route('facilities', 'routes/documents/facilities.tsx'),
    route(':id', 'routes/documents/preview.tsx'),
  ]),
  route('settings', 'routes/settings/settings.tsx'),
  route('settings/second-person', 'routes/settings/second-person.tsx'),
  ...prefix('cash', [
    index('routes/cash/cash.tsx'),
    route('match', 'routes/cash/match.tsx'),
    route('match/:id', 'routes/cash/match-payment.tsx'),
    route('owed/:document', 'routes/cash/obligation.tsx'),
    route('remind', 'routes/cash/remind.tsx'),
    route('payments', 'routes/cash/payments.tsx'),
    route('payments/new', 'routes/cash/new-payment.tsx'),
    route('payments/:id', 'routes/cash/payment.tsx'),
    route('reconciliation', 'routes/cash/reconciliation.tsx'),
    route('accounts', 'routes/cash/accounts.tsx'),
    route('accounts/new', 'routes/cash/account-form.tsx', { id: 'new-bank-account' }),
    route('accounts/:id', 'routes/cash/account-form.tsx', { id: 'bank-account' }),
    ...prefix('statements', [
      index('routes/cash/statements/list.tsx'),
      route('import', 'routes/cash/statements/import.tsx'),
      route('delivered', 'routes/cash/statements/delivered.tsx'),
      route('columns/:account', 'routes/cash/statements/columns.tsx'),
      route(':id', 'routes/cash/statements/statement.tsx'),
    ]),
  ]),
  ...prefix('cash/runs', [
    index('routes/cash/runs/list.tsx'),
    route('new', 'routes/cash/runs/new.tsx'),
    route(':id', 'routes/cash/runs/run.tsx'),
  ]),
  route('cash/payees/:company', 'routes/cash/runs/payee.tsx'),
  ...prefix('announcements', [
    index('routes/announcements/list.tsx'),
    route('new', 'routes/announcements/new.tsx'),
    route(':id', 'routes/announcements/announcement.tsx'),
  ]),
  ...prefix('admin', people),
  ...prefix('chats', [index('routes/chats/list.tsx'), route(':id', 'routes/chats/chat.tsx')]),
  ...prefix('filters', [index('routes/filters/list.tsx'), route(':id/edit', 'routes/filters/edit.tsx')]),
  ...prefix('views', [
    index('routes/views/list.tsx'),
    route('new', 'routes/views/view-form.tsx', { id: 'new-view' }),
    route(':id/edit', 'routes/views/view-form.tsx', { id: 'edit-view' }),
  ]),
  ...prefix('tables', [
    index('routes/tables/list.tsx'),
    route('new', 'routes/tables/new.tsx'),
    route(':id', 'routes/tables/table.tsx'),
  ]),
  ...funds,
  ...prefix('investors', investors),
  ...prefix('capital', capital),
  ...prefix('importer', [
    index('routes/importer/list.tsx'),
    route('new/:kind', 'routes/importer/new.tsx'),
    route('drafts/:id', 'routes/importer/check/check.tsx'),
    route('drafts/:id/checking', 'routes/importer/check/checking.tsx'),
    route('drafts/:id/columns', 'routes/importer/columns.tsx'),
    route('drafts/:id/values', 'routes/importer/values.tsx'),
    route('drafts/:id/files', 'routes/importer/files.tsx'),
    route(':id', 'routes/importer/record.tsx'),
  ]),
  ...prefix('admin', organizations),
  route('*', 'routes/shell/not-found.tsx'),
];

/** Every address of the product and the file that serves it. */
export default [
  // What fails is shown in the frame, in place of the screen.
  layout('routes/shell/layout.tsx', { id: SHELL_ROUTE }, [layout('routes/shell/screen.tsx', SIGNED_IN_SCREENS)]),

  // Routes that screens load from or send to, in addition to their own page.
  route('monitoring/mappings/check-progress/:file', 'routes/monitoring/mappings/check-progress.ts'),
  route('monitoring/tapes/:id/roll-forward', 'routes/monitoring/tapes/forward-file.ts'),
  route('monitoring/tapes/:id/export', 'routes/monitoring/tapes/export.ts'),
  route('monitoring/tapes/:id/documents/:index', 'routes/monitoring/tapes/document.ts'),
  route('funds/:id/commitments/register/:format', 'routes/funds/commitments/register-file.ts'),
  route('funds/:id/commitments/:commitment/activity/:format', 'routes/funds/commitments/activity-file.ts'),
  route('monitoring/borrowing-bases/:id/export', 'routes/monitoring/borrowing-bases/export.ts'),
  route('monitoring/borrowing-bases/:id/comparison/export', 'routes/monitoring/borrowing-bases/comparison/export.ts'),
  route('monitoring/draws/:id/files/:index', 'routes/monitoring/draws/file.ts'),
  route('monitoring/invoices/:id/file', 'routes/monitoring/invoices/file.ts'),
  route('monitoring/contracts/:id/values', 'routes/monitoring/contracts/offered-values.ts'),
  route('monitoring/contracts/:id/trial', 'routes/monitoring/contracts/run-trial.ts'),
  route('history/export', 'routes/history/export.ts'),
  route('notifications/stream', 'routes/notifications/stream.ts'),
  route('importer/template/:kind', 'routes/importer/template.ts'),
  route('importer/drafts/:id/problems', 'routes/importer/problems.ts'),
  route('calendar/events.ics', 'routes/calendar/calendar-file.ts'),
  route('calendar/feed.ics', 'routes/calendar/feed-file.ts'),
  route('investors/:id/activity', 'routes/investors/activity.ts'),
  route('investors/:id/activity/:format', 'routes/investors/activity-file.ts'),
  route('cash/runs/:id/file', 'routes/cash/runs/file.ts'),
  route('cash/owed/file/:format', 'routes/cash/owed-file.ts'),
  route('capital', 'routes/capital/capital.ts'),
  route('capital/cash-flows/:format', 'routes/capital/cash-flows.ts'),
  route('capital/calls/preview', CAPITAL_PREVIEW, { id: 'preview-call' }),
  route('capital/distributions/preview', CAPITAL_PREVIEW, { id: 'preview-distribution' }),
  route('capital/notices/:id', 'routes/capital/notice-archive.ts'),
  route('capital/shares/:id/:format', 'routes/capital/shares-file.ts'),
  route('capital/notices/:id/list', 'routes/capital/list-of-all.ts'),
  route('capital/statements/:id/workbook', 'routes/capital/documents/workbook.ts'),
  route('documents/archive', 'routes/documents/archive.ts'),
  route('documents/:id/content', 'routes/documents/content.ts'),
  route('views/:id', 'routes/views/view.ts'),
  route('views/export/:grid', 'routes/views/export.ts'),
  route('views/rows/:grid', 'routes/views/rows.ts'),
  route('search/results', 'routes/search/results.ts'),
  route('search/asset', 'routes/search/asset.ts'),
  route('download/:id', 'routes/files/download.ts'),
  route('image', 'routes/files/image.ts'),
  route('preferences', 'routes/account/preferences.tsx'),

  route('login', 'routes/sign-in/email.tsx'),
  route('login/code', 'routes/sign-in/code.tsx'),
  route('login/sign-up', 'routes/sign-in/sign-up.tsx'),
  route('welcome', 'routes/sign-in/welcome.tsx'),
  route('privacy', 'routes/sign-in/privacy.tsx'),
  route('terms', 'routes/sign-in/terms.tsx'),
  route('login/external', 'routes/sign-in/external.ts'),
  route('login/external/callback', 'routes/sign-in/external-callback.ts'),
  route('login/link', 'routes/sign-in/magic-link.tsx'),
  route('login/address', 'routes/sign-in/address-change.tsx'),
  route('sign-out', 'routes/sign-in/sign-out.tsx'),
  route('mailbox', 'routes/sign-in/mailbox.tsx'),
  route('verify/:verification', 'routes/verify/verify.tsx'),

  // What the REST API says about itself.
  route('docs', 'routes/rest/docs.tsx'),
  route('openapi.json', 'routes/rest/openapi.ts'),
] satisfies RouteConfig;
