/* The page of report (web/dist/report.html) as strings up to NULL, before and behind the place of the data. Made while
 * building, by tools/embed-page.c. */
#ifndef RBV_WRITE_REPORT_PAGE_H
#define RBV_WRITE_REPORT_PAGE_H

extern const char *const rbv_report_head[], *const rbv_report_tail[];

#endif
