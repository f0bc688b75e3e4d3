// Package apply replaces the configuration files of a server as one.
//
// A [Store] is the directory they lie in, locked against other runs. What
// [Store.Replace] is about to do is first written to a journal there; then the
// old files get dated backups, the new ones are written beside them and renamed
// over them one by one, and the journal is removed. Whatever ends that on the
// way, a power cut included, [Store.Recover] finds in the journal and on the
// disk what was done, and finishes or undoes it.
//
// [Store.Lend] is for a file that trials replace again and again: the journal
// stays until [Store.Return], and recovering always puts the old file back.
//
// Symbolic links are followed, never replaced, and a new file takes over the
// owner, the mode and the extended attributes (SELinux label, access lists) of
// the one whose place it takes.
package apply
