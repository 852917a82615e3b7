/* The pages of report (web/dist/report.html and study.html) as strings up to NULL: the part before the data, and the
 * part after. Generated in the build by tools/embed-page.c. */
#ifndef RBV_OUTPUT_WRITE_REPORT_PAGE_H
#define RBV_OUTPUT_WRITE_REPORT_PAGE_H

extern const char *const rbv_report_head[], *const rbv_report_tail[];
extern const char *const rbv_study_page_head[], *const rbv_study_page_tail[];

#endif
