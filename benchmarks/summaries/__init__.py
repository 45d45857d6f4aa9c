"""What summaries hold: figures on half of each valid split, set aside before any rule was written."""
