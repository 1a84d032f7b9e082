export interface NoticeActivities {
  /**
   * Makes the files of issued documents that have none yet, until none is left or the run is long. Any number of runs
   * may work at once.
   */
  makeDueNotices(): Promise<MadeNotices>;
}

export interface MadeNotices {
  made: number;
  /** Documents whose data cannot be printed. They are not tried again by themselves. */
  failed: number;
  /** The run was long, and more may be due. */
  isMoreDue: boolean;
}
