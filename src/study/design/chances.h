/* Distributions: probabilities and quantiles. */
#ifndef RBV_STUDY_DESIGN_CHANCES_H
#define RBV_STUDY_DESIGN_CHANCES_H

/* Standard normal distribution: probability of values up to z, and the z of probability p, 0 < p < 1, to 1e-15. */
double rbv_normal_probability(double z);
double rbv_normal_quantile(double p);
/* Quantile of the triangular distribution on [least, largest], least < largest, with its peak at `likely`. */
double rbv_triangle_quantile(double least, double likely, double largest, double p);
/* Quantiles of Student's t and of chi squared for `freedoms` > 0 degrees of freedom, 0 < p < 1, to 1e-10. */
double rbv_student_quantile(double freedoms, double p);
double rbv_chi_squared_quantile(double freedoms, double p);
/* Wilson's interval (1927) of a probability, of which `of` trials had `count` cases, with 95 % confidence. */
void rbv_wilson(double count, double of, double *least, double *largest);

#endif
