export interface MailActivities {
  /** Sends the emails that are due, until none is. Any number of senders may run at once. */
  sendDueMail(): Promise<SentMail>;
  /** Queues an email about each tape that has become late. Returns how many tapes are newly late. */
  remindOfLateTapes(): Promise<{ tapes: number }>;
  /** Queues an email about each call that is due within five days. Returns how many people were told. */
  remindOfDueCalls(): Promise<{ told: number }>;
}

export interface SentMail {
  /** Emails that the mail server took, that failed for now, and that were given up or no longer wanted. */
  sent: number;
  failed: number;
  ended: number;
}
