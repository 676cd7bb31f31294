// What enter_linux.c achieved; see there.
extern int quern_landlock;
extern int quern_seccomp;
extern int quern_capabilities;
