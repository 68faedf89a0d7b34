/* The tables and figures. Numbers are those that the papers' texts and tables state; a figure has no others. */
#include "bench/paper/paper.h"

enum { AL_MOUHAMED, ABDELFATTAH, LIU, LOWELL };

const hp_paper hp_papers[] = {
    [AL_MOUHAMED] = {"Al-Mouhamed & Khan 2017", "Tesla K20Xm",
                     "The paper does not say in which precision it computes, probably single: 60 GFLOP/s with two "
                     "unknowns would\n"
                     "take 274 GB/s in double, and a K20Xm has 250. Matrices are seeded ones of the same form."},
    [ABDELFATTAH] = {"Abdelfattah et al. 2016", "Tesla K40c",
                     "The matrices are not the paper's, but patterns of the same kinds with values of their own."},
    [LIU] = {"Liu, Yu & Chen 2013", "Xeon X5570, Tesla C2050/C2070", 0},
    [LOWELL] = {"Lowell et al. 2013", "Tesla K10, C2050, C2070", 0}};

/* ---- Al-Mouhamed & Khan 2017 ---- */

static const hp_paper_line gh_7[] = {
    {"products with GH", "gflops", "format=gh;cache=cold", 0, 0, "GFLOP/s", "to 60"},
    {"one after the other, double precision", "gflops", "format=gh;cache=hot", 0, 0, "GFLOP/s", ""},
    {"likewise, single precision", "gflops", "format=gh-single;cache=hot", 0, 0, "GFLOP/s", "to 60"}};

static const hp_paper_line gh_8a[] = {
    {"time with CSR over GH's", "seconds", "format=gh", "format=csr", "nx,q", "", "2.36 to 3.25"},
    {"with BSR", "seconds", "format=gh", "format=bsr", "nx,q", "", "2.36 to 3.25"},
    {"with HYB", "seconds", "format=gh", "format=hyb", "nx,q", "", "1.14 to 1.30"},
    {"with DIA", "seconds", "format=gh", "format=dia", "nx,q", "", "1.14 to 1.30"}};

static const hp_paper_line gh_8b[] = {
    {"rate of GH over GH-h's", "gflops", "format=gh-h", "format=gh", "nx", "", "1.32 to 1.57"},
    {"rate of GH as CSR over GH-h's as CSR", "gflops", "format=csr-h", "format=csr", "nx", "", "from 1.68"},
    {"entries of GH-h over GH's", "entries", "format=gh", "format=gh-h", "nx", "", ""}};

#define MEASURED "pair!=0" /* rows of iterations that could not be timed hold zeros */
/* Theirs are calls of cuBLAS and cuSPARSE, whose HYB is no more. */
#define GH_SOLVES "format=gh;execution=in-kernel|team"
#define LIBRARY(name) "format=" name ";execution=library|team"
#define KERNELS(name) "format=" name ";execution=per-operation|team"
#define SLOWER(label, others, paper) \
  { label, "iteration_seconds", GH_SOLVES, others, "nx,q", "", paper }
static const hp_paper_line gh_9a[] = {
    SLOWER("time with CSR (a GPU: the libraries) over GH's", LIBRARY("csr"), "to 2.60"),
    SLOWER("with BSR (a GPU: the libraries)", LIBRARY("bsr"), "to 2.60"),
    SLOWER("with HYB (hepta's kernels)", KERNELS("hyb"), "to 1.23"),
    SLOWER("with DIA (hepta's kernels)", KERNELS("dia"), "to 1.23"),
    SLOWER("with CSR, vectors by hepta's kernels", KERNELS("csr"), ""),
    SLOWER("with BSR, likewise", KERNELS("bsr"), ""),
    SLOWER("with GH in single precision", "format=gh-single", ""),
    {"an iteration with GH", "gflops", GH_SOLVES ";" MEASURED, 0, 0, "GFLOP/s", ""},
    {"of which products", "product_percent", GH_SOLVES ";" MEASURED, 0, 0, "%", "82.02"}};

#define SHARE_OF_PEAK(name, format) \
  { name ", share of the peak", "peak_percent", "format=" format, 0, 0, "%", "" }
static const hp_paper_line gh_9b[] = {SHARE_OF_PEAK("GH", "gh"), SHARE_OF_PEAK("SG-DIA", "sg-dia"),
                                      SHARE_OF_PEAK("CSR", "csr"), SHARE_OF_PEAK("ELLPACK", "ell"),
                                      SHARE_OF_PEAK("DIA", "dia")};

#define QMR(label, column, paper) \
  { label, column, "method=bicgstab", "method=qmr", "nx,q", "", paper }
static const hp_paper_line gh_qmr[] = {
    QMR("time of a solve by QMR over BiCG-Stab's", "solve_seconds", "nearly 2"),
    QMR("  operations", "solve_operations", "nearly 2"),
    QMR("  iterations", "iterations", ""),
    QMR("time of an iteration of QMR over BiCG-Stab's", "iteration_seconds", ""),
    QMR("  operations of an iteration", "operations", ""),
    {"synchronizations of an iteration of QMR", "iteration_barriers", "method=qmr;" MEASURED, 0, 0, "", "9"}};

/* ---- Abdelfattah, Ltaief, Keyes & Dongarra 2016 ---- */

#define BLOCKS "format=blocks;cut=0;gpus=1"
#define CUT "format=blocks;cut!=0"
static const hp_paper_line ksparse_3[] = {
    {"time with BSR over that of blocks", "seconds", BLOCKS, "format=bsr", "pattern,q", "", "3.09 to 3.54"},
    {"with HYB", "seconds", BLOCKS, "format=hyb", "pattern,q", "", "1.77 to 23.13"},
    {"with SELL (a GPU: cuSPARSE's)", "seconds", BLOCKS, "format=sell", "pattern,q", "", ""},
    {"with SELL-P", "seconds", BLOCKS, "format=sell-p", "pattern,q", "", "1.54 to 2.05"},
    {"with CSR of hepta", "seconds", BLOCKS, "format=csr-own", "pattern,q", "", ""}};

#define RATE(name, which) \
  { name, "gflops", which, 0, 0, "GFLOP/s", "" }
static const hp_paper_line ksparse_10[] = {
    RATE("blocks", BLOCKS),          RATE("BSR", "format=bsr"),
    RATE("HYB", "format=hyb"),       RATE("SELL (a GPU: cuSPARSE's)", "format=sell"),
    RATE("SELL-P", "format=sell-p"), {"blocks, share of the copy rate", "share", BLOCKS, 0, 0, "", ""}};

static const hp_paper_line ksparse_17[] = {
    {"time of whole rows over that of pieces", "seconds", CUT, BLOCKS, "q", "", "to 6.18 and 15"},
    {"with BSR", "seconds", CUT, "format=bsr", "q", "", "to 8.86 and 30.25"},
    {"with HYB", "seconds", CUT, "format=hyb", "q", "", "to 2.26 and 2.38"},
    {"with SELL (a GPU: cuSPARSE's)", "seconds", CUT, "format=sell", "q", "", ""},
    {"with SELL-P", "seconds", CUT, "format=sell-p", "q", "", "to 3.11 and 10.50"}};

static const hp_paper_line ksparse_20[] = {
    {"rows of one length: two GPUs over one", "speedup", "pattern=band;cut=0;gpus=2", 0, 0, "", ""},
    {"  three GPUs over one", "speedup", "pattern=band;cut=0;gpus=3", 0, 0, "", ""},
    {"long rows, whole: two GPUs over one", "speedup", "pattern=tailed;cut=0;gpus=2", 0, 0, "", ""},
    {"  three GPUs over one, whole", "speedup", "pattern=tailed;cut=0;gpus=3", 0, 0, "", "below 1.5"},
    {"long rows, in pieces: two GPUs over one", "speedup", "pattern=tailed;cut!=0;gpus=2", 0, 0, "", ""},
    {"  three GPUs over one, in pieces", "speedup", "pattern=tailed;cut!=0;gpus=3", 0, 0, "", ""}};

static const hp_paper_line ksparse_21[] = {
    {"time with BSR over that of blocks", "seconds", BLOCKS, "format=bsr", "q", "", "2.4"},
    {"with HYB", "seconds", BLOCKS, "format=hyb", "q", "", "1.13"},
    {"with SELL (a GPU: cuSPARSE's)", "seconds", BLOCKS, "format=sell", "q", "", ""},
    {"with SELL-P", "seconds", BLOCKS, "format=sell-p", "q", "", "1.27"},
    {"two GPUs over one (there with y gathered)", "speedup", "gpus=2", 0, 0, "", "1.93"},
    {"three GPUs over one", "speedup", "gpus=3", 0, 0, "", "2.83"}};

/* ---- Liu, Yu & Chen 2013 ---- */

#define CLASSICAL(rows) rows ";interpolation=classical;where!=CPU, 1 thread"
#define ON_ONE_CORE(rows) rows ";interpolation=classical;where=CPU, 1 thread"
#define SOLVES(name, rows, count, core, time, times)                                                  \
  {name ", iterations", "iterations", rows ";interpolation=classical", 0, 0, "", count},              \
      {"  solve on one core", "solve", ON_ONE_CORE(rows), 0, 0, "s", core},                           \
      {"  solve here, there on the GPU", "solve", CLASSICAL(rows), 0, 0, "s", time}, {                \
    "  times as fast as one core", "solve", CLASSICAL(rows), ON_ONE_CORE(rows), "smoother", "", times \
  }
#define EXAMPLE(number, grid, count, core, time, times) \
  SOLVES("example " number, "system=poisson " grid, count, core, time, times)
static const hp_paper_line amg_examples[] = {EXAMPLE("1", "1000 x 1000 x 1", "36", "12.261", "1.305", "9.33"),
                                             EXAMPLE("2", "1500 x 1500 x 1", "31", "24.501", "2.584", "9.42"),
                                             EXAMPLE("3", "100 x 100 x 100", "21", "10.8", "1.127", "9.58"),
                                             EXAMPLE("4", "130 x 130 x 130", "25", "37.86", "3.02", "12.47")};
static const hp_paper_line amg_small[] = {SOLVES("damped Jacobi", "smoother=damped-jacobi", "", "", "", ""),
                                          SOLVES("l1-Jacobi", "smoother=l1-jacobi", "", "", "", "")};

/* ---- Lowell et al. 2013 ---- */

static const hp_paper_line sgdia_4_1[] = {
    {"products with SG-DIA", "gflops", "format=sg-dia", 0, 0, "GFLOP/s", "to 23"}};

#define SGDIA(precision) "format=sg-dia;kind=tuned|team;precision=" precision
static const hp_paper_line stencils_4_1[] = {
    {"SG-DIA, single precision", "gflops", SGDIA("single"), 0, 0, "GFLOP/s", "to 45"},
    {"SG-DIA, double precision", "gflops", SGDIA("double"), 0, 0, "GFLOP/s", "to 23"},
    {"time with CSR over SG-DIA's, double", "seconds", SGDIA("double"), "format=csr", "nx,nz,q,stencil,precision", "",
     "above 1"},
    {"with DIA", "seconds", SGDIA("double"), "format=dia", "nx,nz,q,stencil,precision", "", "above 1"},
    {"with cuSPARSE's CSR", "seconds", SGDIA("double"), "format=library", "nx,nz,q,stencil,precision", "", ""}};

static const hp_paper_line stencils_4_3[] = {
    {"time with DIA over SG-DIA's, tuned", "seconds", SGDIA("double"), "format=dia", "q", "", "1.8 to 4.8"},
    {"untuned SG-DIA's over tuned", "seconds", "format=sg-dia;kind=tuned", "format=sg-dia;kind=untuned", "q", "",
     "to 2"}};

#define SHARE(operation) \
  { operation ", share of the copy rate", "share", "operation=" operation ";kind=tuned|team", 0, 0, "", "" }
#define CUBLAS(operation, paper)                                                               \
  {                                                                                            \
    operation ", time with cuBLAS over ours", "seconds", "operation=" operation ";kind=tuned", \
        "operation=" operation ";kind=library", "n", "", paper                                 \
  }
static const hp_paper_line vectors_4_2[] = {CUBLAS("dot", "above 1"),
                                            CUBLAS("norm", "above 1"),
                                            CUBLAS("axpy", ""),
                                            CUBLAS("waxpy", ""),
                                            CUBLAS("scale", ""),
                                            CUBLAS("maxpy", ""),
                                            SHARE("dot"),
                                            SHARE("norm"),
                                            SHARE("axpy"),
                                            SHARE("waxpy"),
                                            SHARE("scale"),
                                            SHARE("maxpy")};

static const hp_paper_line sgdia_4_3[] = {
    {"time with DIA over SG-DIA's", "seconds", "format=sg-dia", "format=dia", "q", "", "1.8 to 4.8"}};

#define BRATU(size, time, transfer)                                                                    \
  {"nodes " size " a side", "seconds", "nx=" size ";preconditioner=none", 0, 0, "s", time}, {          \
    "  of these transfers", "transfer_seconds", "nx=" size ";preconditioner=none", 0, 0, "s", transfer \
  }
static const hp_paper_line bratu_4_3[] = {BRATU("64", "6.39", "0.2837"), BRATU("75", "10.54", "0.4488"),
                                          BRATU("100", "37.65", "0.9342"), BRATU("128", "100.50", "1.6592")};
static const hp_paper_line bratu_4_3_small[] = {BRATU("8", "", ""), BRATU("12", "", "")};

static const hp_paper_line bratu_4_4[] = {
    {"time with CSR over SG-DIA's", "seconds", "matrix=sg-dia", "matrix=csr", "nx", "", "to 1.48"},
    {"  of the products alone", "product_seconds", "matrix=sg-dia", "matrix=csr", "nx", "", ""}};

/* ---- all ---- */

#define LINES(list) list, sizeof list / sizeof *list, 0, 0
#define LINES_AND_SMALL(list, small) list, sizeof list / sizeof *list, small, sizeof small / sizeof *small
const hp_paper_table hp_paper_tables[] = {
    {"gh-7", "Figure 7", AL_MOUHAMED, "products with GH, two unknowns, 1e3 to 4e6 rows", "spmv",
     "--format gh,gh-single --cache both --wells 50 --size 8,12,17,23,37,64,100,127", 0,
     "--format gh,gh-single --cache both --wells 9 --size 6,8", LINES(gh_7)},
    {"gh-8a", "Figure 8a", AL_MOUHAMED, "products with GH beside other formats", "spmv",
     "--format gh,csr,bsr,hyb,dia --cache cold --wells 50 --q 2,4,8", 0,
     "--format gh,csr,bsr,hyb,dia --cache cold --wells 9 --q 2,4 --size 6,8", LINES(gh_8a)},
    {"gh-8b", "Figure 8b", AL_MOUHAMED, "rows offset by half a block", "spmv",
     "--format gh,gh-h,csr,csr-h --cache cold --wells 50 --q 2", 0,
     "--format gh,gh-h,csr,csr-h --cache cold --wells 9 --q 2 --size 6,8", LINES(gh_8b)},
    {"gh-9a", "Figure 9a", AL_MOUHAMED, "BiCG-Stab with GH beside other formats", "krylov",
     "--format gh,gh-single,csr,bsr,hyb,dia --preconditioner none --q 2,4,8",
     "--execution in-kernel,per-operation,library",
     "--format gh,gh-single,csr,bsr,hyb,dia --preconditioner none --q 2,4 --size 6,8 --samples 1", LINES(gh_9a)},
    {"gh-9b", "Figure 9b", AL_MOUHAMED, "products by format, share of the peak", "spmv",
     "--format gh,sg-dia,csr,ell,dia --cache cold --wells 50 --size 32,64 --q 2,4,8 --seconds 0.1", 0,
     "--format gh,sg-dia,csr,ell,dia --cache cold --wells 9 --q 2,4 --size 6,8", LINES(gh_9b)},
    {"gh-qmr", "Section 7.4", AL_MOUHAMED, "QMR beside BiCG-Stab", "krylov",
     "--method bicgstab,qmr --preconditioner none --q 2,4,8", 0,
     "--method bicgstab,qmr --preconditioner none --q 2 --size 6,8 --samples 1", LINES(gh_qmr)},
    {"ksparse-3", "Table III", ABDELFATTAH, "block rows of about one length", "bsr",
     "--pattern grid,band,scattered --size 24 --q 8,12,16,20,32 --format blocks,bsr,hyb,sell --seconds 0.1",
     "--format blocks,bsr,hyb,sell,sell-p,csr-own",
     "--pattern grid,band,scattered --size 4 --q 2,3 --format blocks,bsr,hyb,sell", LINES(ksparse_3)},
    {"ksparse-10", "Figures 10 to 16", ABDELFATTAH, "block rows of about one length, by q", "bsr",
     "--pattern band,scattered --size 16 --q 2,4,8,16,24,32,48,64 --format blocks,bsr,hyb,sell --seconds 0.1",
     "--format blocks,bsr,hyb,sell,sell-p", "--pattern band,scattered --size 4 --q 2,3 --format blocks,bsr,hyb,sell",
     LINES(ksparse_10)},
    {"ksparse-17", "Figures 17, 18", ABDELFATTAH, "block rows of very different length", "bsr",
     "--pattern tailed --size 34 --q 2,4,8,16,32 --cut 0,16 --format blocks,bsr,hyb,sell --seconds 0.1",
     "--format blocks,bsr,hyb,sell,sell-p", "--pattern tailed --size 6 --q 2,3 --cut 0,16 --format blocks,bsr,hyb,sell",
     LINES(ksparse_17)},
    {"ksparse-20", "Figure 20", ABDELFATTAH, "several GPUs, y not gathered", "bsr",
     "--pattern band,tailed --size 24 --q 2,8,32 --cut 0,16 --format blocks --seconds 0.1", "--gpus all",
     "--pattern band,tailed --size 4 --q 2 --cut 0,16 --format blocks", LINES(ksparse_20)},
    {"ksparse-21", "Figure 21", ABDELFATTAH, "a reservoir of dual porosity, q = 7", "bsr",
     "--pattern dual --q 7 --format blocks,bsr,hyb,sell", "--format blocks,bsr,hyb,sell,sell-p --gpus all",
     "--pattern dual --q 7 --size 4 --format blocks,bsr,hyb,sell", LINES(ksparse_21)},
    {"amg", "Examples 1 to 4", LIU, "multigrid by itself, RS and classical interpolation", "amg",
     "--paper --samples 1 --interpolation classical", "--threads 1",
     "--paper --samples 1 --interpolation classical --size 20", LINES_AND_SMALL(amg_examples, amg_small)},
    {"sg-dia-4.1", "Figure 4.1", LOWELL, "products with SG-DIA, double precision", "spmv",
     "--format sg-dia --cache cold --wells 0 --size 32,64 --q 1,2,3,4,6,8", 0,
     "--format sg-dia --cache cold --wells 0 --size 6 --q 1,2", LINES(sgdia_4_1)},
    {"vectors-4.2", "Figure 4.2", LOWELL, "operations on vectors (Table 4.2), tuned", "vectors",
     "--size 1e5,1e6,1e7 --vectors 8", "--search random --trials 400", "--size 1e3,2e3 --vectors 3 --seconds 0.001",
     LINES(vectors_4_2)},
    {"sg-dia-4.3", "Figure 4.3", LOWELL, "products with SG-DIA beside DIA, 32^3", "spmv",
     "--format sg-dia,dia --cache cold --wells 0 --size 32 --q 1,2,3,4,6,8", 0,
     "--format sg-dia,dia --cache cold --wells 0 --size 6 --q 1,2", LINES(sgdia_4_3)},
    {"sgdia-4.1", "Figure 4.1", LOWELL, "stencils in both precisions and 2D and 3D, tuned", "sgdia",
     "--size 512x512x1,64 --precision double,single --q 1,2,4,8 --stencil star,box", "--search random --trials 150",
     "--size 12x12x1,6 --precision double,single --q 1,2 --stencil star,box --seconds 0.001", LINES(stencils_4_1)},
    {"sgdia-4.3", "Figure 4.3", LOWELL, "7 points on 32^3, tuned and untuned, beside DIA", "sgdia",
     "--size 32 --q 1,2,3,4,6,8 --format sg-dia,dia", "--search exhaustive",
     "--size 6 --q 1,2 --format sg-dia,dia --seconds 0.001", LINES(stencils_4_3)},
    {"bratu-4.3", "Table 4.3", LOWELL, "solid-fuel ignition, Newton with GMRES(30)", "bratu",
     "--size 64,75,100,128 --preconditioner none", 0, "--size 8,12 --preconditioner none",
     LINES_AND_SMALL(bratu_4_3, bratu_4_3_small)},
    {"bratu-4.4", "Figure 4.4", LOWELL, "solid-fuel ignition by SG-DIA and by CSR", "bratu",
     "--size 64,75,100,128 --matrix sg-dia,csr --preconditioner none", 0,
     "--size 6,8 --matrix sg-dia,csr --preconditioner none", LINES(bratu_4_4)},
};
const int hp_paper_table_count = sizeof hp_paper_tables / sizeof *hp_paper_tables;
