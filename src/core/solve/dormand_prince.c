/* Dormand and Prince's method of order 8; see dormand_prince.h. */
#include "core/solve/dormand_prince.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coefficients of the Runge-Kutta method of order 8 by Dormand and Prince (Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, II.5 and II.6): 12 stages, errors of order 5 and 3, and an interpolant of order 7 with
 * three more stages. Stage 12 is the new state. test/dormand_prince_test.c checks them
 * against the order conditions.
 */

#define STAGES 12
#define ALL_STAGES 16

static const double c[ALL_STAGES] = {0,
                                     0.526001519587677318785587544488e-01,
                                     0.789002279381515978178381316732e-01,
                                     0.118350341907227396726757197510,
                                     0.281649658092772603273242802490,
                                     1.0 / 3,
                                     0.25,
                                     4.0 / 13,
                                     127.0 / 195,
                                     0.6,
                                     6.0 / 7,
                                     1,
                                     1,
                                     0.1,
                                     0.2,
                                     7.0 / 9};

static const double a[ALL_STAGES][ALL_STAGES] = {
    [1] = {5.26001519587677318785587544488e-2},
    [2] = {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
    [3] = {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
    [4] = {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1,
           9.24834003261792003115737966543e-1},
    [5] = {1.0 / 27, 0, 0, 1.70828608729473871279604482173e-1, 1.25467687566822425016691814123e-1},
    [6] = {19.0 / 512, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2, -9.0 / 512},
    [7] = {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
           1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3},
    [8] = {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825,
           -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1,
           -4.34898841810699588477366255144e1},
    [9] = {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468,
           -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1,
           -3.32882109689848629194453265587e1, -2.03312017085086261358222928593e-2},
    [10] = {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
            -8.14978701074692612513997267357, -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
            2.49360555267965238987089396762, -3.0467644718982195003823669022},
    [11] = {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1, -2.00087205822486249909675718444,
            -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
            -8.87285693353062954433549289258, 1.23605671757943030647266201528e1, 6.43392746015763530355970484046e-1},
    [12] = {5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566,
            1.89151789931450038304281599044, -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1,
            -1.52160949662516078556178806805e-1, 2.01365400804030348374776537501e-1,
            4.47106157277725905176885569043e-2},
    [13] = {5.61675022830479523392909219681e-2, 0, 0, 0, 0, 0, 2.53500210216624811088794765333e-1,
            -2.46239037470802489917441475441e-1, -1.24191423263816360469010140626e-1, 1.5329179827876569731206322685e-1,
            8.20105229563468988491666602057e-3, 7.56789766054569976138603589584e-3, -8.298e-3},
    [14] = {3.18346481635021405060768473261e-2, 0, 0, 0, 0, 2.83009096723667755288322961402e-2,
            5.35419883074385676223797384372e-2, -5.49237485713909884646569340306e-2, 0, 0,
            -1.08347328697249322858509316994e-4, 3.82571090835658412954920192323e-4,
            -3.40465008687404560802977114492e-4, 1.41312443674632500278074618366e-1},
    [15] = {-4.28896301583791923408573538692e-1, 0, 0, 0, 0, -4.69762141536116384314449447206,
            7.68342119606259904184240953878, 4.06898981839711007970213554331, 3.56727187455281109270669543021e-1, 0, 0,
            0, -1.39902416515901462129418009734e-3, 2.9475147891527723389556272149, -9.15095847217987001081870187138},
};

/* Differences of the weights to those of the solutions of order 3 and 5. */
static const double e3[STAGES] = {5.42937341165687622380535766363e-2 - 0.244094488188976377952755905512,
                                  0,
                                  0,
                                  0,
                                  0,
                                  4.45031289275240888144113950566,
                                  1.89151789931450038304281599044,
                                  -5.8012039600105847814672114227,
                                  3.1116436695781989440891606237e-1 - 0.733846688281611857341361741547,
                                  -1.52160949662516078556178806805e-1,
                                  2.01365400804030348374776537501e-1,
                                  4.47106157277725905176885569043e-2 - 0.220588235294117647058823529412e-1};
static const double e5[STAGES] = {0.1312004499419488073250102996e-1,
                                  0,
                                  0,
                                  0,
                                  0,
                                  -0.1225156446376204440720569753e+1,
                                  -0.4957589496572501915214079952,
                                  0.1664377182454986536961530415e+1,
                                  -0.3503288487499736816886487290,
                                  0.3341791187130174790297318841,
                                  0.8192320648511571246570742613e-1,
                                  -0.2235530786388629525884427845e-1};

/* The interpolant's last four coefficients. */
static const double d[4][ALL_STAGES] = {
    {-0.84289382761090128651353491142e+1, 0, 0, 0, 0, 0.56671495351937776962531783590,
     -0.30689499459498916912797304727e+1, 0.23846676565120698287728149680e+1, 0.21170345824450282767155149946e+1,
     -0.87139158377797299206789907490, 0.22404374302607882758541771650e+1, 0.63157877876946881815570249290,
     -0.88990336451333310820698117400e-1, 0.18148505520854727256656404962e+2, -0.91946323924783554000451984436e+1,
     -0.44360363875948939664310572000e+1},
    {0.10427508642579134603413151009e+2, 0, 0, 0, 0, 0.24228349177525818288430175319e+3,
     0.16520045171727028198505394887e+3, -0.37454675472269020279518312152e+3, -0.22113666853125306036270938578e+2,
     0.77334326684722638389603898808e+1, -0.30674084731089398182061213626e+2, -0.93321305264302278729567221706e+1,
     0.15697238121770843886131091075e+2, -0.31139403219565177677282850411e+2, -0.93529243588444783865713862664e+1,
     0.35816841486394083752465898540e+2},
    {0.19985053242002433820987653617e+2, 0, 0, 0, 0, -0.38703730874935176555105901742e+3,
     -0.18917813819516756882830838328e+3, 0.52780815920542364900561016686e+3, -0.11573902539959630126141871134e+2,
     0.68812326946963000169666922661e+1, -0.10006050966910838403183860980e+1, 0.77771377980534432092869265740,
     -0.27782057523535084065932004339e+1, -0.60196695231264120758267380846e+2, 0.84320405506677161018159903784e+2,
     0.11992291136182789328035130030e+2},
    {-0.25693933462703749003312586129e+2, 0, 0, 0, 0, -0.15418974869023643374053993627e+3,
     -0.23152937917604549567536039109e+3, 0.35763911791061412378285349910e+3, 0.93405324183624310003907691704e+2,
     -0.37458323136451633156875139351e+2, 0.10409964950896230045147246184e+3, 0.29840293426660503123344363579e+2,
     -0.43533456590011143754432175058e+2, 0.96324553959188282948394950600e+2, -0.39177261675615439165231486172e+2,
     -0.14972683625798562581422125276e+3},
};

#define PARTS 7

bool rbv_dormand_prince_create(RbvDormandPrince *dp, int32_t n, RbvRate rate, void *context) {
    size_t size = (size_t)n;
    *dp = (RbvDormandPrince){.n = n, .rate = rate, .context = context};
    dp->k = calloc(ALL_STAGES * size + 1, sizeof *dp->k);
    dp->stage = calloc(size + 1, sizeof *dp->stage);
    dp->part = calloc(PARTS * size + 1, sizeof *dp->part);
    dp->y = calloc(size + 1, sizeof *dp->y);
    return dp->k && dp->stage && dp->part && dp->y;
}

void rbv_dormand_prince_destroy(RbvDormandPrince *dp) {
    free(dp->k);
    free(dp->stage);
    free(dp->part);
    free(dp->y);
    *dp = (RbvDormandPrince){0};
}

double *rbv_dormand_prince_first(RbvDormandPrince *dp) {
    return dp->k;
}

double *rbv_dormand_prince_last(RbvDormandPrince *dp) {
    return dp->k + (size_t)STAGES * (size_t)dp->n;
}

/* out = y + h sum_j weight_j k_j. */
static void combine_stages(const RbvDormandPrince *dp, const double *y, double h, const double *weight, int count,
                           double *out) {
    memcpy(out, y, (size_t)dp->n * sizeof *out);
    for (int j = 0; j < count; j++) {
        const double *k = dp->k + (size_t)j * (size_t)dp->n;
        double w = h * weight[j];
        for (int32_t i = 0; w != 0 && i < dp->n; i++)
            out[i] += w * k[i];
    }
}

static RbvStatus stage(RbvDormandPrince *dp, int i, double t, const double *y, double h) {
    combine_stages(dp, y, h, a[i], i, dp->stage);
    return dp->rate(dp->context, t + c[i] * h, dp->stage, dp->k + (size_t)i * (size_t)dp->n);
}

RbvStatus rbv_dormand_prince_step(RbvDormandPrince *dp, double t, const double *y, double h, const double *weight,
                                  double *y1, double *error) {
    size_t n = (size_t)dp->n;
    double fifth = 0, third = 0;
    int32_t counted = 0;
    for (int i = 1; i < STAGES; i++) {
        RbvStatus status = stage(dp, i, t, y, h);
        if (status != RBV_OK)
            return status;
    }
    combine_stages(dp, y, h, a[STAGES], STAGES, y1);
    for (size_t i = 0; i < n; i++) {
        double five = 0, three = 0;
        for (int j = 0; j < STAGES; j++) {
            five += e5[j] * dp->k[(size_t)j * n + i];
            three += e3[j] * dp->k[(size_t)j * n + i];
        }
        fifth += five * five * weight[i] * weight[i];
        third += three * three * weight[i] * weight[i];
        counted += weight[i] > 0;
    }
    double below = fifth + 0.01 * third;
    *error = below;
    if (below > 0)
        *error = fabs(h) * fifth / sqrt(below * (counted > 0 ? counted : 1));
    return RBV_OK;
}

double rbv_dormand_prince_stage(const RbvDormandPrince *dp, int i, const double *y, double h, double *state,
                                const double **rate) {
    combine_stages(dp, y, h, a[i], i, state);
    *rate = dp->k + (size_t)i * (size_t)dp->n;
    return c[i];
}

RbvStatus rbv_dormand_prince_interpolate(RbvDormandPrince *dp, double t, const double *y, double h, const double *y1) {
    size_t n = (size_t)dp->n;
    for (int i = STAGES + 1; i < ALL_STAGES; i++) {
        RbvStatus status = stage(dp, i, t, y, h);
        if (status != RBV_OK)
            return status;
    }
    const double *first = dp->k, *last = rbv_dormand_prince_last(dp);
    for (size_t i = 0; i < n; i++) {
        double gain = y1[i] - y[i];
        dp->part[i] = gain;
        dp->part[n + i] = h * first[i] - gain;
        dp->part[2 * n + i] = 2 * gain - h * (first[i] + last[i]);
    }
    for (int p = 0; p < 4; p++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < ALL_STAGES; j++)
                sum += d[p][j] * dp->k[(size_t)j * n + i];
            dp->part[(size_t)(3 + p) * n + i] = h * sum;
        }
    memcpy(dp->y, y, n * sizeof *y);
    dp->t = t;
    dp->h = h;
    return RBV_OK;
}

void rbv_dormand_prince_at(const RbvDormandPrince *dp, double share, double *y) {
    size_t n = (size_t)dp->n;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int p = PARTS - 1; p >= 0; p--)
            sum = (sum + dp->part[(size_t)p * n + i]) * ((PARTS - 1 - p) % 2 == 0 ? share : 1 - share);
        y[i] = dp->y[i] + sum;
    }
}
